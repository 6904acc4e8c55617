package io.callboard.grid;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How a node takes part in its grid.
 *
 * @param pulse between two pulses to a node that is watched
 * @param silence after which a node that answered before is asked for elsewhere; several pulses
 * @param scan between two looks at the grid, on average; between half of it and one and a half
 */
public record GridOptions(Duration pulse, Duration silence, Duration scan) {
  private static final Duration SHORTEST = Duration.ofMillis(10);

  /** Pulses each 150 ms, silence after 1.5 s, a scan each 5 s. */
  public static final GridOptions DEFAULT =
      new GridOptions(Duration.ofMillis(150), Duration.ofMillis(1_500), Duration.ofSeconds(5));

  /** Until the next look: half of {@link #scan} to one and a half. */
  Duration untilNextScan(RandomGenerator random) {
    long millis = scan.toMillis();
    return Duration.ofMillis(millis / 2 + random.nextLong(millis + 1));
  }

  public GridOptions {
    if (pulse.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("pulse is %s: give %s or more".formatted(pulse, SHORTEST));
    }
    if (scan.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("scan is %s: give %s or more".formatted(scan, SHORTEST));
    }
    if (silence.compareTo(pulse.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "silence is %s: give two pulses or more, %s".formatted(silence, pulse.multipliedBy(2)));
    }
  }
}
