package io.callboard.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Work that can be kept going, with a bounded part of it under way. */
interface Load {
  /** Time without progress after which a load counts as broken. */
  Duration STARVED = Duration.ofSeconds(30);

  /** Keeps working in the background until {@link #stop()}. */
  void start() throws Exception;

  /** Returns the number of operations done so far, over all starts; read by another thread. */
  long done();

  /** Ends, waits for what is under way, and checks that nothing is lost, doubled or swapped. */
  void stop() throws Exception;

  /**
   * The steady rate a second: the load is up before the window begins, and until it ended. On a
   * machine so busy that nothing was done within the window, it goes on until something is.
   */
  default double rate(Duration window) throws Exception {
    start();
    try {
      Thread.sleep(window.toMillis() / 5);
      long before = done();
      long begun = System.nanoTime();
      Thread.sleep(window.toMillis());
      await("anything done", STARVED, () -> done() > before);
      long after = done();
      return (after - before) * 1e9 / (System.nanoTime() - begun);
    } finally {
      stop();
    }
  }

  /**
   * Waits, looking every millisecond.
   *
   * @throws TimeoutException that names {@code what} if it does not come true in time
   */
  static void await(String what, Duration limit, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("%s: not within %d s".formatted(what, limit.toSeconds()));
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
