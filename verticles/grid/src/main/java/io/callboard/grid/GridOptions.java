package io.callboard.grid;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Timing of a node's part in its grid.
 *
 * @param heartbeatInterval interval between two heartbeats to a watched node; at least 10 ms, by
 *     default 150 ms
 * @param silence time without a heartbeat after which other nodes are asked about one; at least two
 *     heartbeats, by default 1.5 s
 * @param scan mean interval between two scans of the grid, each between half and one and a half of
 *     it; at least 10 ms, by default 5 s
 */
public record GridOptions(Duration heartbeatInterval, Duration silence, Duration scan) {
  private static final Duration SHORTEST = Duration.ofMillis(10);

  /** Default timing: a heartbeat each 150 ms, silence after 1.5 s, a scan each 5 s. */
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
    if (heartbeatInterval.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "heartbeatInterval is %s: give %s or more".formatted(heartbeatInterval, SHORTEST));
    }
    if (scan.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("scan is %s: give %s or more".formatted(scan, SHORTEST));
    }
    if (silence.compareTo(heartbeatInterval.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "silence is %s: give two heartbeat intervals or more, %s"
              .formatted(silence, heartbeatInterval.multipliedBy(2)));
    }
  }
}
