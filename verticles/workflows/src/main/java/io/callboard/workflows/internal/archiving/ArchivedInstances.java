package io.callboard.workflows.internal.archiving;

import io.callboard.archive.WorkflowHistory;
import io.callboard.archive.WorkflowRowQuery;
import io.callboard.archive.internal.ended.EndedPage;
import io.callboard.archive.internal.ended.EndedReader;
import io.callboard.time.Time;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ended instances in the database, if there is one. Any thread. Futures fail with {@link
 * WorkflowException} of code {@code UNAVAILABLE} if the database does not answer in time.
 */
public final class ArchivedInstances {
  private final @Nullable WorkflowHistory history;
  private final EndedReader<InstanceRow> reader;

  /**
   * Creates the view of a database.
   *
   * @param history the database; null for none
   * @param pause time for which lists do without the database after a page could not be read
   */
  public ArchivedInstances(@Nullable WorkflowHistory history, Time time, Duration pause) {
    this.history = history;
    this.reader =
        new EndedReader<>(
            "workflow instance", InstanceRow.class, time, pause, ArchivedInstances::away);
  }

  /** Returns the instance; empty if the database has none of that id. */
  public Future<Optional<ArchivedInstance>> find(String id) {
    return history == null
        ? Future.succeededFuture(Optional.empty())
        : reader.answer(history.find(id)).map(body -> body.map(ArchivedInstance::of));
  }

  /** Deletes the row of an instance, if the database has it. */
  public Future<Void> delete(String id) {
    return history == null
        ? Future.succeededFuture()
        : reader.answer(history.delete(id)).mapEmpty();
  }

  /** Returns a page of a list, as {@link EndedReader#page} does. */
  public Future<EndedPage<InstanceRow>> page(WorkflowQuery query, int limit) {
    return history == null || (query.state() != null && !query.state().isEnded())
        ? Future.succeededFuture(EndedPage.empty(false))
        : reader.page(() -> history.page(row(query, limit)), limit);
  }

  private static WorkflowRowQuery row(WorkflowQuery query, int limit) {
    String[] label = query.label() == null ? new String[0] : query.label().split("=", 2);
    return new WorkflowRowQuery(
        query.definition(),
        query.version(),
        query.state() == null ? null : query.state().name(),
        label.length == 0 ? null : label[0],
        label.length == 2 ? label[1] : null,
        query.createdAfter(),
        query.text() == null ? null : query.text().toLowerCase(Locale.ROOT),
        query.ascending(),
        limit,
        query.cursor());
  }

  private static WorkflowException away() {
    return new WorkflowException(
        Code.UNAVAILABLE,
        "the archive's database does not answer, and has the instances that ended some time ago: try again later");
  }
}
