package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepRetry;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pause between two attempts of a step. */
@Machine
public final class RetryDelay {
  private static final int MOST_DOUBLINGS = 30;

  private RetryDelay() {}

  /**
   * Returns the pause after an attempt: min(max, initial·2ⁿ⁻¹), of which the upper half is random.
   *
   * @param attempt number of the attempt, from 1
   */
  static Duration after(StepRetry retry, int attempt, RandomGenerator random) {
    long full = longest(retry, attempt).toMillis();
    long half = full / 2;
    return Duration.ofMillis(half + (long) (random.nextDouble() * (full - half)));
  }

  /** Returns the longest pause after an attempt. */
  public static Duration longest(StepRetry retry, int attempt) {
    int doublings = Math.min(attempt - 1, MOST_DOUBLINGS);
    long most = retry.max().toMillis();
    long initial = Math.min(retry.initial().toMillis(), most);
    return Duration.ofMillis(initial > most >> doublings ? most : initial << doublings);
  }
}
