package io.callboard.supervision;

import java.time.Duration;

/**
 * How long to wait before something is tried again, longer the more often it failed in a row. An
 * immutable value; what it was used for so far is in {@link Retries}:
 *
 * <pre>{@code
 * Retries retries = backoff.begin();
 * retries = retries.next(random); // it failed: try again after retries.delay()
 * retries = retries.reset(); // it went well
 * }</pre>
 */
public sealed interface Backoff permits ExponentialBackoff, SlottedBackoff {
  /** 200 ms doubling to 30 s, equal jitter. */
  Backoff DEFAULT = exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

  /**
   * How an exponential wait is spread. The bound is min·2ⁿ⁻¹ for the n-th in a row, at most max.
   */
  enum Jitter {
    /** Not at all: the bound. */
    NONE,
    /** Uniform between half of the bound and all of it. */
    EQUAL,
    /** Uniform between nothing and all of the bound. */
    FULL,
    /** Uniform between min and three times the last wait (the first time: min), at most max. */
    DECORRELATED
  }

  /** Doubles from {@code min} to {@code max}, with equal jitter; see {@link ExponentialBackoff}. */
  static ExponentialBackoff exponential(Duration min, Duration max) {
    return exponential(min, max, Jitter.EQUAL);
  }

  /** See {@link ExponentialBackoff}. */
  static ExponentialBackoff exponential(Duration min, Duration max, Jitter jitter) {
    return new ExponentialBackoff(min, max, jitter);
  }

  /** See {@link SlottedBackoff}. */
  static SlottedBackoff slotted(Duration slotTime, int ceiling, boolean stayAtCeiling) {
    return new SlottedBackoff(slotTime, ceiling, stayAtCeiling);
  }

  /** Nothing was tried yet: all counts are 0. */
  Retries begin();
}
