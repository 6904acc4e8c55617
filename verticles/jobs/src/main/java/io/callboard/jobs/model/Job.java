package io.callboard.jobs.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as clients see it; also the shape of its JSON.
 *
 * @param id UUIDv7
 * @param version grows with each change
 * @param nextAttemptAt when it becomes due; null unless SCHEDULED, RETRY_WAIT, or HELD before its
 *     time
 * @param error why it is DEAD, in words
 */
public record Job(
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
  public Job {
    command = List.copyOf(command);
    runs = List.copyOf(runs);
    labels = Map.copyOf(labels);
  }
}
