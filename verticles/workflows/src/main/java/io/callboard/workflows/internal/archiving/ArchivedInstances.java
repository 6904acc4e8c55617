package io.callboard.workflows.internal.archiving;

import io.callboard.archive.WorkflowHistory;
import io.callboard.archive.WorkflowRowQuery;
import io.callboard.codecs.CodecException;
import io.callboard.time.Time;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ended instances in the database, if there is one. Any thread. Futures fail with {@link
 * WorkflowException} of code {@code UNAVAILABLE} if the database does not answer in time.
 */
public final class ArchivedInstances {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** Time limit of a page of a list, which can do without the database. */
  private static final Duration PAGE = Duration.ofSeconds(2);

  /** Time for which lists do without the database after a page could not be read, by default. */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  /** Maximum number of unreadable rows that are remembered, so that each is logged once. */
  private static final int MOST_REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(ArchivedInstances.class);

  private final @Nullable WorkflowHistory history;
  private final Time time;
  private final Duration pause;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Long awayNs;

  /**
   * Creates the view of a database.
   *
   * @param history the database; null for none
   * @param pause time for which lists do without the database after a page could not be read
   */
  public ArchivedInstances(@Nullable WorkflowHistory history, Time time, Duration pause) {
    this.history = history;
    this.time = time;
    this.pause = pause;
  }

  /** Returns the instance; empty if the database has none of that id. */
  public Future<Optional<ArchivedInstance>> find(String id) {
    return history == null
        ? Future.succeededFuture(Optional.empty())
        : answer(history.find(id)).map(body -> body.map(ArchivedInstance::of));
  }

  /** Deletes the row of an instance, if the database has it. */
  public Future<Void> delete(String id) {
    return history == null ? Future.succeededFuture() : answer(history.delete(id)).mapEmpty();
  }

  /**
   * Page of a list.
   *
   * @param rows those that can be read, in the order of the list
   * @param more whether others may follow the last of them
   */
  public record Page(List<InstanceRow> rows, boolean more) {
    /** Page without a row. */
    public static final Page EMPTY = new Page(List.of(), false);
  }

  /**
   * Returns a page of a list; a row that cannot be read hides no other.
   *
   * @param limit maximum number of rows; a full page may have more behind it
   * @return fails at once for some time after the database did not answer, or no row of a full page
   *     could be read
   */
  public Future<Page> page(WorkflowQuery query, int limit) {
    if (history == null || (query.state() != null && !query.state().isEnded())) {
      return Future.succeededFuture(Page.EMPTY);
    }
    Long away = awayNs;
    if (away != null && time.nanoTime() - away < pause.toNanos()) {
      return Future.failedFuture(away());
    }
    return history
        .page(row(query, limit))
        .timeout(PAGE.toMillis(), TimeUnit.MILLISECONDS)
        .map(views -> page(views, limit))
        .onComplete(done -> awayNs = done.failed() ? Long.valueOf(time.nanoTime()) : null)
        .onFailure(
            cause ->
                log.warn(
                    "lists lack the archived workflow instances for {} s: {}",
                    pause.toSeconds(),
                    cause.toString()));
  }

  private Page page(List<String> views, int limit) {
    List<InstanceRow> rows = new ArrayList<>();
    CodecException damage = null;
    for (String view : views) {
      try {
        rows.add(ArchivedInstance.view(view));
      } catch (CodecException e) {
        damage = e;
        unreadable(ArchivedInstance.id(view), e);
      }
    }
    boolean full = views.size() >= limit;
    if (full && rows.isEmpty() && damage != null) {
      throw damage; // nothing says where the next page begins
    }
    return new Page(rows, full);
  }

  /** Logs a row that cannot be read, once: lists are read again and again. */
  private void unreadable(String id, CodecException cause) {
    if (unreadable.size() >= MOST_REMEMBERED) {
      unreadable.clear();
    }
    if (unreadable.add(id)) {
      log.error(
          "the archived workflow instance {} cannot be read and is missing from lists: {}",
          id,
          cause.getMessage());
    }
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

  private static <T> Future<T> answer(Future<T> asked) {
    return asked
        .timeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        .recover(
            cause -> {
              log.debug("the archive's database does not answer", cause);
              return Future.failedFuture(away());
            });
  }

  private static WorkflowException away() {
    return new WorkflowException(
        Code.UNAVAILABLE,
        "the archive's database does not answer, and has the instances that ended some time ago: try again later");
  }
}
