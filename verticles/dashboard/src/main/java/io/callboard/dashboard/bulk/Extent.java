package io.callboard.dashboard.bulk;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an action would reach.
 *
 * @param ids ids of the jobs, the oldest first
 * @param more whether more jobs match than one request may reach
 * @param total number of all jobs, as the nodes count them
 * @param oldest when the oldest of them was submitted; null if there is none
 * @param newest when the newest of them was submitted; null if there is none
 * @param byState numbers of them by their state
 * @param incomplete why others may be missing; null if none are
 */
public record Extent(
    List<String> ids,
    boolean more,
    long total,
    @Nullable Instant oldest,
    @Nullable Instant newest,
    Map<JobState, Long> byState,
    @Nullable String incomplete) {
  /** What is kept of a job that it reaches: a whole job may be large. */
  record Reached(String id, Instant createdAt, JobState state) {
    static Reached of(Job job) {
      return new Reached(job.id(), job.createdAt(), job.state());
    }
  }

  /**
   * Returns the extent of these jobs.
   *
   * @param jobs the jobs, the oldest first
   */
  static Extent of(List<Reached> jobs, boolean more, long total, @Nullable String incomplete) {
    Map<JobState, Long> byState = new EnumMap<>(JobState.class);
    jobs.forEach(job -> byState.merge(job.state(), 1L, Long::sum));
    return new Extent(
        jobs.stream().map(Reached::id).toList(),
        more,
        total,
        jobs.isEmpty() ? null : jobs.get(0).createdAt(),
        jobs.isEmpty() ? null : jobs.get(jobs.size() - 1).createdAt(),
        byState,
        incomplete);
  }
}
