package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.JournalReader;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the first events of an actor, which its journal no longer has, page by page from an
 * archive. The archive must also have the first event of the journal, and it must be the same: then
 * the archive is of this life of the actor, and complete. For one use, on the actor's context.
 */
final class ArchivedEvents {
  private static final int PAGE = 200;

  /** An archive keeps times to the millisecond. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(1);

  private final ActorPath path;
  private final Recovery from;
  private final EventHistory history;
  private final long begun;
  private final long last;
  private final @Nullable JournalReader next;
  private final Promise<Void> done = Promise.promise();

  /**
   * Creates a reader for one recovery.
   *
   * @param begun the turn up to which events are of a life before
   * @param last the number of the last one that is wanted
   * @param next the first entry of the journal, which begins with the event after that; null if
   *     there is none
   */
  ArchivedEvents(
      ActorPath path,
      Recovery from,
      EventHistory history,
      long begun,
      long last,
      @Nullable JournalReader next) {
    this.path = path;
    this.from = from;
    this.history = history;
    this.begun = begun;
    this.last = last;
    this.next = next;
  }

  /**
   * Gives each to {@code apply}, which may throw.
   *
   * @return fails with a {@link ReplayException} if the archive has them not all, with the
   *     archive's failure if it cannot be read or is behind
   */
  Future<Void> each(Consumer<FeedEvent> apply) {
    read(0, apply);
    return done.future();
  }

  private void read(long after, Consumer<FeedEvent> apply) {
    String late = from.late();
    if (from.isOver() || late != null) {
      done.fail(failure(after + 1, late == null ? "the start was cancelled" : late));
      return;
    }
    from.here(history.events(path, begun, after, PAGE).compose(page -> checkEnd(page, after)))
        .onComplete(
            page -> {
              if (page.failed()) {
                done.fail(page.cause());
                return;
              }
              try {
                take(page.result(), after, apply);
              } catch (RuntimeException | Error e) {
                done.fail(e);
              }
            });
  }

  /**
   * Checks a page at its end: events that the archive should have and does not have yet are waited
   * for, as for an archive that cannot be reached.
   */
  private Future<List<FeedEvent>> checkEnd(List<FeedEvent> page, long after) {
    long wanted = next == null ? last : last + 1;
    return page.isEmpty() && after > 0 && after < wanted
        ? Future.failedFuture(
            StoreException.unavailable(
                "the archive has the events of %s up to %d, but not yet event %d"
                    .formatted(path, after, wanted),
                null))
        : Future.succeededFuture(page);
  }

  private void take(List<FeedEvent> page, long after, Consumer<FeedEvent> apply) {
    long at = after;
    for (FeedEvent event : page) {
      if (event.number() != at + 1) {
        throw failure(
            at + 1,
            "it is neither in the journal nor in the archive, which continues with event %d: the actor was not archived from its first event on"
                .formatted(event.number()));
      }
      at++;
      if (at > last) {
        checkSame(event);
        break;
      }
      apply.accept(event);
    }
    if (page.isEmpty() && at == 0) {
      throw failure(
          1, "it is neither in the journal nor in the archive, which has no event of the actor");
    }
    from.progress(Math.min(at, last), last);
    if (at > last || (next == null && at == last)) {
      done.complete();
    } else {
      long read = at;
      from.goOn(() -> read(read, apply));
    }
  }

  private void checkSame(FeedEvent event) {
    JournalReader first = next;
    if (first != null
        && (first.turn() != event.turn()
            || Duration.between(first.at(), event.at()).abs().compareTo(CLOCK_STEP) > 0)) {
      throw failure(
          event.number(),
          "in the journal it is of turn %d at %s, in the archive of turn %d at %s: the archive holds events of an earlier actor of the same path"
              .formatted(first.turn(), first.at(), event.turn(), event.at()));
    }
  }

  private ReplayException failure(long event, String why) {
    return new ReplayException(path, event, null, why, null);
  }
}
