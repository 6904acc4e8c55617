package io.callboard.dashboard.attention;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Type of jobs with what runs and waits of it.
 *
 * @param name name of the type
 * @param limit maximum number of simultaneous runs
 * @param paused whether no run of it is started
 * @param running jobs that use up the limit
 * @param queued jobs that are due and wait
 * @param oldest since when the oldest of them waits; null if that was not looked up
 * @param longest id of the job that has run longest; null if that was not looked up
 * @param longestSince start of that; null if that was not looked up
 */
public record TypeLoad(
    String name,
    int limit,
    boolean paused,
    long running,
    long queued,
    @Nullable Instant oldest,
    @Nullable String longest,
    @Nullable Instant longestSince) {
  /** Returns whether a free host would be no use to those that wait. */
  public boolean isShut() {
    return queued > 0 && (paused || running >= limit);
  }
}
