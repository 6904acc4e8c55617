package io.callboard.supervision;

import java.time.Duration;

/**
 * Policy for the wait before a retry, which grows with the number of consecutive failures. An
 * immutable value; the state of the retries is in {@link Retries}:
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

  /** Jitter of an exponential wait. Its bound is min·2ⁿ⁻¹ for the n-th in a row, at most max. */
  enum Jitter {
    /** Wait without jitter: the bound. */
    NONE,
    /** Wait that is uniform between half of the bound and the bound. */
    EQUAL,
    /** Wait that is uniform between 0 and the bound. */
    FULL,
    /**
     * Wait that is uniform between min and three times the last wait (the first time: min), at most
     * max.
     */
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

  /** Returns the initial state of retries with this backoff: all counts are 0. */
  Retries begin();
}
