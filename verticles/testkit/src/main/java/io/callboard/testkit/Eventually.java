package io.callboard.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Assertions that are repeated until they hold, for conditions that become true asynchronously. */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  /** Repeats {@code assertion} for at most 20 s; then its last failure is thrown. */
  public static void assertThat(Runnable assertion) {
    assertThat(LIMIT, assertion);
  }

  /** Waits for at most 20 s until {@code condition} holds; then fails, naming {@code what}. */
  public static void isTrue(String what, BooleanSupplier condition) {
    isTrue(LIMIT, what, condition);
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
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError failure) {
        if (System.nanoTime() - deadlineNs >= 0) {
          throw failure;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }
}
