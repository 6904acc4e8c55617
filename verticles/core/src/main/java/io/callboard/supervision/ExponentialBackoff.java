package io.callboard.supervision;

import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Truncated exponential backoff: the n-th retry in a row waits min·2ⁿ⁻¹, at most max, with jitter
 * inside that bound, so that {@code max} is a real maximum.
 *
 * <p>The jitter forms are those of Marc Brooker, "Exponential Backoff And Jitter" (AWS Architecture
 * Blog, 2015).
 *
 * @param min more than zero
 * @param max {@code min} to {@link Time#LONGEST}
 */
@Machine
public record ExponentialBackoff(Duration min, Duration max, Jitter jitter) implements Backoff {
  /**
   * Creates a backoff.
   *
   * @throws IllegalArgumentException if {@code min} is not positive, or {@code max} is below {@code
   *     min} or over {@link Time#LONGEST}
   */
  public ExponentialBackoff {
    Objects.requireNonNull(min, "min is null: give a duration");
    Objects.requireNonNull(max, "max is null: give a duration");
    Objects.requireNonNull(jitter, "jitter is null: choose NONE, EQUAL, FULL or DECORRELATED");
    if (min.isNegative()
        || min.isZero()
        || max.compareTo(min) < 0
        || max.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "backoff needs 0 < min <= max <= %d days, not min %s, max %s"
              .formatted(Time.LONGEST.toDays(), min, max));
    }
  }

  @Override
  public Retries begin() {
    return new Retries(this);
  }

  /**
   * Returns the wait by the count alone, for callers that keep no {@link Retries}.
   *
   * @param failures in a row so far, at least 1; any size, the exponent is clamped
   * @throws IllegalStateException with {@link Backoff.Jitter#DECORRELATED}, which needs the last
   *     wait
   */
  public Duration delay(long failures, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    long bound = boundNanos(failures);
    return Duration.ofNanos(
        switch (jitter) {
          case NONE -> bound;
          case EQUAL -> bound / 2 + random.nextLong(bound - bound / 2 + 1);
          case FULL -> random.nextLong(bound + 1);
          case DECORRELATED ->
              throw new IllegalStateException(
                  "a decorrelated wait depends on the last one: use begin() and Retries.next");
        });
  }

  /**
   * Returns the wait by the count alone and without jitter.
   *
   * @param failures in a row so far, at least 1; any size, the exponent is clamped
   */
  public Duration longest(long failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    return Duration.ofNanos(boundNanos(failures));
  }

  Duration waitAfter(Retries last, RandomGenerator random) {
    if (jitter != Jitter.DECORRELATED) {
      return delay(Retries.oneMore(last.retries()), random);
    }
    long least = min.toNanos();
    long most = 3 * Math.max(least, last.delay().toNanos());
    return Duration.ofNanos(Math.min(max.toNanos(), random.nextLong(least, most + 1)));
  }

  private long boundNanos(long failures) {
    long least = min.toNanos();
    int exponent = (int) Math.min(failures - 1, Long.numberOfLeadingZeros(least) - 1);
    return Math.min(max.toNanos(), least << exponent);
  }
}
