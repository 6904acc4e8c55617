package io.callboard.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for something that becomes true by itself: an assertion that is repeated until it holds.
 */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  /** Repeats {@code assertion} for at most 10 s; then its last failure is thrown. */
  public static void assertThat(Runnable assertion) {
    assertThat(LIMIT, assertion);
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
