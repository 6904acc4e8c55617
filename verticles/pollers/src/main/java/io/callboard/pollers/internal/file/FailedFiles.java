package io.callboard.pollers.internal.file;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Files that could not be taken, each with a pause until it is tried again. Not thread-safe. */
final class FailedFiles {
  private static final ExponentialBackoff PAUSES =
      Backoff.exponential(Duration.ofSeconds(10), Duration.ofMinutes(30));

  private final Time time;
  private final Map<Path, Pause> pauses = new LinkedHashMap<>();

  /** Time until which a file is left alone, after so many attempts. */
  private record Pause(int failures, long endNanos) {}

  FailedFiles(Time time) {
    this.time = time;
  }

  /**
   * Records that a file could not be taken.
   *
   * @return the pause until it is tried again
   */
  Duration add(Path file) {
    Pause before = pauses.remove(file);
    int failures = before == null ? 1 : before.failures() + 1;
    Duration pause = PAUSES.longest(failures);
    if (pauses.size() >= Candidates.MOST) {
      pauses.remove(pauses.keySet().iterator().next()); // the oldest
    }
    pauses.put(file, new Pause(failures, time.nanoTime() + pause.toNanos()));
    return pause;
  }

  void taken(Path file) {
    pauses.remove(file);
  }

  /** Returns whether a file is in its pause now. */
  boolean has(Path file) {
    Pause pause = pauses.get(file);
    return pause != null && time.nanoTime() - pause.endNanos() < 0;
  }
}
