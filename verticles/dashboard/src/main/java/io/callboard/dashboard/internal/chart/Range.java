package io.callboard.dashboard.internal.chart;

import io.callboard.time.Machine;
import java.time.Duration;
import java.util.Arrays;

/** Time that a chart covers, in {@value #STEPS} steps. */
@Machine
public enum Range {
  /** The last 15 minutes. */
  QUARTER("15m", Duration.ofSeconds(5)),
  /** The last hour. */
  HOUR("1h", Duration.ofSeconds(20)),
  /** The last 24 hours. */
  DAY("24h", Duration.ofSeconds(480));

  /** Number of steps. */
  public static final int STEPS = 180;

  private final String label;
  private final Duration step;

  Range(String label, Duration step) {
    this.label = label;
    this.step = step;
  }

  /** Returns the range of a label. */
  public static Range of(String label) {
    return Arrays.stream(values())
        .filter(range -> range.label.equals(label))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no range " + label + ": 15m, 1h or 24h"));
  }

  /** Returns the label of the range in requests. */
  public String label() {
    return label;
  }

  /** Returns the length of a step. */
  public Duration step() {
    return step;
  }
}
