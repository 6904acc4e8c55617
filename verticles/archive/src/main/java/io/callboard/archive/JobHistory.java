package io.callboard.archive;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ended jobs in a database. Futures fail with a {@link io.callboard.store.StoreException} of kind
 * {@code UNAVAILABLE} if the database does not answer. Thread-safe; nothing of it blocks.
 */
public interface JobHistory {
  /**
   * Writes jobs; one that is there in the same version or a newer one stays as it is. When the
   * future succeeds, all of them are on disk, except those that it names.
   *
   * @return the jobs that the database refuses, each with the reason, by id
   */
  Future<Map<String, String>> write(List<JobRow> jobs);

  /** Returns {@link JobRow#body} of a job; empty if there is none of that id. */
  Future<Optional<String>> find(String id);

  /** Returns {@link JobRow#view} of the jobs of a page, in the order of their ids. */
  Future<List<String>> page(JobRowQuery query);

  /**
   * Deletes a job, which is refused for a day if it is written again; returns whether there was one
   * of that id.
   */
  Future<Boolean> delete(String id);

  /**
   * Deletes the oldest of these jobs.
   *
   * @param most maximum number to delete
   * @return the number of deleted jobs
   */
  Future<Integer> deleteEnded(EndedRows rows, int most);

  /**
   * Deletes rows that are left though their deletion was recorded, as their writer died then, and
   * forgets deletions of over a day ago.
   */
  Future<Void> sweepDeleted();
}
