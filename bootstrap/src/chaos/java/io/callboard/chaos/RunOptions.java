package io.callboard.chaos;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Options of a run.
 *
 * @param scenario its faults
 * @param seed which faults when
 * @param time how long faults begin
 * @param every pause between two faults; null for a short one at random
 * @param faults whether there are any
 * @param instances workflows that are started, in the scenario of that name
 */
record RunOptions(
    Scenario scenario,
    long seed,
    Duration time,
    @Nullable Duration every,
    boolean faults,
    int instances) {
  private static final int SHORTEST_MS = 200;
  private static final int LONGEST_MS = 2_000;

  /** Returns the pause before the next fault. */
  Duration pause(Random random) {
    return every == null ? NodeFaults.between(random, SHORTEST_MS, LONGEST_MS) : every;
  }
}
