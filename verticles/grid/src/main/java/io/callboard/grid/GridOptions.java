package io.callboard.grid;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Timing of a node's part in its grid.
 *
 * @param pulse interval between two pulses to a watched node; at least 10 ms, by default 150 ms
 * @param silence time without a heartbeat after which other nodes are asked about one; at least two
 *     pulses, by default 1.5 s
 * @param scan mean interval between two scans of the grid, each between half and one and a half of
 *     it; at least 10 ms, by default 5 s
 */
public record GridOptions(Duration pulse, Duration silence, Duration scan) {
  private static final Duration SHORTEST = Duration.ofMillis(10);

  /** Default timing: a pulse each 150 ms, silence after 1.5 s, a scan each 5 s. */
  public static final GridOptions DEFAULT =
      new GridOptions(Duration.ofMillis(150), Duration.ofMillis(1_500), Duration.ofSeconds(5));

  /** Returns the time until the next scan: between half of {@link #scan} and one and a half. */
  Duration untilNextScan(RandomGenerator random) {
    long millis = scan.toMillis();
    return Duration.ofMillis(millis / 2 + random.nextLong(millis + 1));
  }

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if an interval is too short
   */
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
