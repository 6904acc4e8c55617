package io.callboard.supervision;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Truncated exponential backoff: the n-th consecutive failure waits min·2ⁿ⁻¹, at most max, with
 * jitter inside that bound, so that {@code max} is a real maximum.
 *
 * <p>The jitter forms are those of Marc Brooker, "Exponential Backoff And Jitter" (AWS Architecture
 * Blog, 2015).
 */
public record Backoff(Duration min, Duration max, Jitter jitter) {
  /** 200 ms doubling to 30 s, equal jitter. */
  public static final Backoff DEFAULT =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), Jitter.EQUAL);

  /** How the delay is spread. */
  public enum Jitter {
    /** Not at all. */
    NONE,
    /** Uniform between half of the delay and all of it. */
    EQUAL,
    /** Uniform between nothing and all of it. */
    FULL
  }

  public Backoff {
    Objects.requireNonNull(min, "min is null: give a duration");
    Objects.requireNonNull(max, "max is null: give a duration");
    Objects.requireNonNull(jitter, "jitter is null: choose NONE, EQUAL or FULL");
    if (min.isNegative() || min.isZero() || max.compareTo(min) < 0) {
      throw new IllegalArgumentException(
          "backoff needs 0 < min <= max, not min %s, max %s".formatted(min, max));
    }
  }

  /**
   * @param failures consecutive ones so far, at least 1; any size, the exponent is clamped
   */
  public Duration delay(long failures, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    long minNanos = min.toNanos();
    long maxNanos = max.toNanos();
    int exponent = (int) Math.min(failures - 1, Long.numberOfLeadingZeros(minNanos) - 1);
    long bound = Math.min(maxNanos, minNanos << exponent);
    return Duration.ofNanos(
        switch (jitter) {
          case NONE -> bound;
          case EQUAL -> bound / 2 + random.nextLong(bound - bound / 2 + 1);
          case FULL -> random.nextLong(bound + 1);
        });
  }
}
