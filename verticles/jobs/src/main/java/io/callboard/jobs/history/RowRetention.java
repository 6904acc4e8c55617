package io.callboard.jobs.history;

import io.callboard.archive.JobHistory;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletion of old jobs from the database, about once an hour, page by page. One context. */
final class RowRetention {
  private static final int PAGE = 1_000;
  private static final Duration EVERY = Duration.ofHours(1);

  private final JobHistory history;
  private final JobRetention retention;
  private final Clock clock;
  private @Nullable Instant last;

  RowRetention(JobHistory history, JobRetention retention, Clock clock) {
    this.history = history;
    this.retention = retention;
    this.clock = clock;
  }

  /**
   * Deletes a page of what is too old, unless all of that was deleted within the last hour; returns
   * whether there may be more.
   */
  Future<Boolean> sweep() {
    Instant now = clock.instant();
    if (last != null && last.plus(EVERY).isAfter(now)) {
      return Future.succeededFuture(false);
    }
    Future<Boolean> done = Future.succeededFuture(false);
    for (JobState state : Stream.of(JobState.values()).filter(JobState::terminal).toList()) {
      Duration kept = state == JobState.SUCCEEDED ? retention.successes() : retention.others();
      done =
          done.compose(
              more ->
                  history
                      .deleteEnded(state.name(), now.minus(kept), PAGE)
                      .map(deleted -> more || deleted == PAGE));
    }
    return done.onSuccess(more -> last = more ? null : now);
  }
}
