package io.callboard.internal.node;

import io.callboard.time.Machine;
import java.time.Duration;

/**
 * Pace of looks at all actors: the pause after one is a hundred times as long as it took, so that
 * they take a hundredth of the time, within limits. Pure.
 */
@Machine
final class SurveyPace {
  /** Shortest pause. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Longest pause. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private static final int SHARE = 100;

  private SurveyPace() {}

  /** Returns the pause after a look that took that time. */
  static Duration after(Duration took) {
    Duration pause = took.multipliedBy(SHARE);
    return pause.compareTo(SHORTEST) < 0
        ? SHORTEST
        : pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
