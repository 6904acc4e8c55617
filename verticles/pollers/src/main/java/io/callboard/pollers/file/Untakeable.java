package io.callboard.pollers.file;

import io.callboard.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Files that could not be taken, each of which is left alone for a while. Not thread-safe. */
final class Untakeable {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Time time;
  private final Map<Path, Pause> pauses = new LinkedHashMap<>();

  /** Time for which a file is left alone. */
  private record Pause(Duration length, long endNanos) {}

  Untakeable(Time time) {
    this.time = time;
  }

  /** Notes that a file could not be taken; returns for how long it is left alone. */
  Duration add(Path file) {
    Pause before = pauses.remove(file);
    Duration length = before == null ? FIRST : before.length().multipliedBy(2);
    Duration pause = length.compareTo(LONGEST) > 0 ? LONGEST : length;
    if (pauses.size() >= Candidates.MOST) {
      pauses.remove(pauses.keySet().iterator().next()); // the oldest
    }
    pauses.put(file, new Pause(pause, time.nanoTime() + pause.toNanos()));
    return pause;
  }

  void taken(Path file) {
    pauses.remove(file);
  }

  /** Returns whether a file is left alone now. */
  boolean has(Path file) {
    Pause pause = pauses.get(file);
    return pause != null && time.nanoTime() - pause.endNanos() < 0;
  }
}
