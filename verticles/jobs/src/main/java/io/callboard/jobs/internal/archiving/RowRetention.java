package io.callboard.jobs.internal.archiving;

import io.callboard.archive.EndedRows;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TypeRetention;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes old jobs from the database, about once an hour, page by page. One context. */
final class RowRetention {
  private static final int PAGE = 1_000;
  private static final Duration EVERY = Duration.ofHours(1);

  private final JobHistory history;
  private final JobRetention retention;
  private final TypeRetentions types;
  private final Clock clock;
  private @Nullable Instant last;

  RowRetention(JobHistory history, JobRetention retention, TypeRetentions types, Clock clock) {
    this.history = history;
    this.retention = retention;
    this.types = types;
    this.clock = clock;
  }

  /**
   * Deletes a page of the jobs that are too old, unless all of them were deleted within the last
   * hour.
   *
   * @return whether there may be more
   */
  Future<Boolean> sweep() {
    Instant now = clock.instant();
    if (last != null && last.plus(EVERY).isAfter(now)) {
      return Future.succeededFuture(false);
    }
    return types
        .read()
        .compose(
            byType -> {
              Future<Boolean> done = history.sweepDeleted().map(false);
              for (EndedRows rows : tooOld(byType, now)) {
                done =
                    done.compose(
                        more ->
                            history
                                .deleteEnded(rows, PAGE)
                                .map(deleted -> more || deleted == PAGE));
              }
              return done;
            })
        .onSuccess(more -> last = more ? null : now);
  }

  /** Returns the rows to delete: of each type with a time of its own, then of all the others. */
  private List<EndedRows> tooOld(Map<String, TypeRetention> byType, Instant now) {
    List<EndedRows> all = new ArrayList<>();
    for (JobState state : Stream.of(JobState.values()).filter(JobState::terminal).toList()) {
      List<String> own = new ArrayList<>();
      new TreeMap<>(byType)
          .forEach(
              (type, its) -> {
                Duration kept = its.jobs(state);
                if (kept != null) {
                  own.add(type);
                  all.add(new EndedRows(state.name(), now.minus(kept), List.of(type), false));
                }
              });
      all.add(new EndedRows(state.name(), now.minus(retention.rows(state)), own, true));
    }
    return all;
  }
}
