package io.callboard.archive;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ended workflow instances in a database. Futures fail with a {@link
 * io.callboard.store.StoreException} of kind {@code UNAVAILABLE} if the database does not answer.
 * Thread-safe; nothing of it blocks.
 */
public interface WorkflowHistory {
  /**
   * Writes instances; one that is there in the same version or a newer one stays as it is. When the
   * future succeeds, all of them are on disk, except those that it names.
   *
   * @return the instances that the database refuses, each with the reason, by id
   */
  Future<Map<String, String>> write(List<WorkflowRow> instances);

  /** Returns {@link WorkflowRow#body} of an instance; empty if there is none of that id. */
  Future<Optional<String>> find(String id);

  /** Returns {@link WorkflowRow#view} of the instances of a page, in the order of their ids. */
  Future<List<String>> page(WorkflowRowQuery query);

  /**
   * Deletes an instance, which is refused for a day if it is written again; returns whether there
   * was one of that id.
   */
  Future<Boolean> delete(String id);

  /**
   * Deletes the oldest of the instances that ended in a state before a time.
   *
   * @param most maximum number to delete
   * @return the number of deleted instances
   */
  Future<Integer> deleteEnded(String state, Instant before, int most);

  /**
   * Deletes rows that are left though their deletion was recorded, as their writer died then, and
   * forgets deletions of over a day ago.
   */
  Future<Void> sweepDeleted();
}
