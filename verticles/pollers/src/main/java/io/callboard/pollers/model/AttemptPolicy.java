package io.callboard.pollers.model;

import java.time.Duration;

/**
 * Number of attempts at what a message starts, and the pauses between them.
 *
 * @param attempts number of attempts, after which the message is set aside as dead
 * @param initial delay after the first failure; doubled with each further one
 * @param max longest delay
 */
public record AttemptPolicy(int attempts, Duration initial, Duration max) {
  /** Most attempts. */
  public static final int MOST_ATTEMPTS = 20;

  /** Longest sum of all delays: receipts of earlier attempts are kept for 24 hours. */
  public static final Duration LONGEST = Duration.ofHours(12);

  /** Policy of a source that names none. */
  public static final AttemptPolicy DEFAULT =
      new AttemptPolicy(5, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /** Checks the values. */
  public AttemptPolicy {
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts is 1 to %d, not %d".formatted(MOST_ATTEMPTS, attempts));
    } else if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "0 < initial <= max, not initial %s and max %s".formatted(initial, max));
    } else if (max.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a delay of up to %s is longer than %s: lower max".formatted(max, LONGEST));
    } else if (max.multipliedBy(attempts - 1L).compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%d attempts with delays of up to %s last longer than %s: lower one of them"
              .formatted(attempts, max, LONGEST));
    }
  }
}
