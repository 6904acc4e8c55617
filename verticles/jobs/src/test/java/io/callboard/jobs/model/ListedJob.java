package io.callboard.jobs.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs as lists have them. */
public final class ListedJob {
  private ListedJob() {}

  /** Returns a job without what only its detail has, whose run is not being killed in vain. */
  public static Job of(
      String id,
      String type,
      JobState state,
      int priority,
      List<String> command,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Instant nextAttemptAt,
      List<JobRun> runs,
      Map<String, String> labels,
      @Nullable String uniqueKey,
      @Nullable String error,
      long version) {
    return new Job(
        id,
        type,
        state,
        priority,
        command,
        createdAt,
        startedAt,
        endedAt,
        nextAttemptAt,
        runs,
        labels,
        uniqueKey,
        error,
        version,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
