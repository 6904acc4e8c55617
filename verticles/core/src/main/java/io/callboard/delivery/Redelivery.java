package io.callboard.delivery;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.Retries;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Policy of the redelivery of unconfirmed messages: the number of attempts, and the wait between
 * them. Immutable.
 *
 * @param backoff the wait after each attempt
 * @param attempts the first one included; after as many, and the wait behind the last one, the
 *     delivery is parked
 */
public record Redelivery(Backoff backoff, int attempts) {
  /** Most attempts of one delivery. */
  public static final int MOST_ATTEMPTS = 10_000;

  /** 20 attempts, after 1 s, 2 s, 4 s up to 1 min, equal jitter: about eleven minutes. */
  public static final Redelivery DEFAULT =
      new Redelivery(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)), 20);

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException if attempts are not 1 to {@value #MOST_ATTEMPTS}
   */
  public Redelivery {
    Objects.requireNonNull(backoff, "backoff is null: give Backoff.exponential(…) or another");
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "the attempts of a delivery are %d: give 1 to %d".formatted(attempts, MOST_ATTEMPTS));
    }
  }

  /** Returns the wait after the given attempt, counted from 1. */
  public Duration delay(int attempt, RandomGenerator random) {
    Retries retries = backoff.begin();
    for (int i = 0; i < attempt; i++) {
      retries = retries.next(random);
    }
    return retries.delay();
  }
}
