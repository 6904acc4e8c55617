package io.callboard.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Assertions that are repeated until they hold, for conditions that become true asynchronously.
 *
 * <p>A limit only ends a hang. On a slow machine {@code -Dcallboard.testkit.timefactor=4} makes all
 * limits four times as long; when one is reached, the standard error says what all threads did.
 */
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  /** Repeats {@code assertion} for at most 30 s; then its last failure is thrown. */
  public static void assertThat(Runnable assertion) {
    assertThat(WaitLimit.LIMIT, assertion);
  }

  /** Waits for at most 30 s until {@code condition} holds; then fails, naming {@code what}. */
  public static void isTrue(String what, BooleanSupplier condition) {
    isTrue(WaitLimit.LIMIT, what, condition);
  }

  /** Waits for at most {@code limit} until {@code condition} holds; then fails. */
  public static void isTrue(Duration limit, String what, BooleanSupplier condition) {
    assertThat(
        limit,
        () -> {
          if (!condition.getAsBoolean()) {
            throw new AssertionError("not within %s: %s".formatted(limit, what));
          }
        });
  }

  /** Repeats {@code assertion} for at most {@code limit}; then its last failure is thrown. */
  public static void assertThat(Duration limit, Runnable assertion) {
    WaitLimit wait = WaitLimit.of(limit);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError failure) {
        if (wait.isOver()) {
          wait.reportExpiry();
          throw failure;
        }
        wait.pause(PAUSE);
      }
    }
  }
}
