package io.callboard.node;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Started parts of a node, closed in the reverse order of their start. Thread-safe. */
final class CloseStack {
  private static final Logger log = LoggerFactory.getLogger(CloseStack.class);

  /** Time that a part has in any case, and that it has if the store is gone. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Deque<Part> parts = new ArrayDeque<>();
  private boolean isClosing;

  /**
   * Something that was started, and how it is stopped.
   *
   * @param ofApplication whether it is the application's, and so has only a share of the time
   */
  private record Part(String name, boolean ofApplication, Stop stop) {
    /** The time that it has to stop, of {@code left}; a second at least. */
    Duration share(Duration left) {
      Duration share = ofApplication ? left.multipliedBy(2).dividedBy(5) : left;
      return share.compareTo(LEAST) < 0 ? LEAST : share;
    }
  }

  /** Stops a part; may block. */
  interface Stop {
    void run(Duration limit) throws Exception;
  }

  /** Adds a part that closes asynchronously. */
  void push(String name, Supplier<? extends Future<?>> stop) {
    push(new Part(name, false, limit -> stopped(stop, limit)));
  }

  /**
   * Adds a part that may block while it stops.
   *
   * @throws IllegalStateException if the closing has begun
   */
  void push(String name, Stop stop) {
    push(new Part(name, false, stop));
  }

  /**
   * Adds a part of the application, which has two fifths of the time that is left when its turn
   * comes, so that one that hangs leaves the others the rest.
   *
   * @throws IllegalStateException if the closing has begun
   */
  void pushOfApplication(String name, Supplier<? extends Future<?>> stop) {
    push(new Part(name, true, limit -> stoppedBeside(name, stop, limit)));
  }

  /** Stops on a thread of its own, as code of the application may block for ever. */
  private static void stoppedBeside(String name, Supplier<? extends Future<?>> stop, Duration limit)
      throws Exception {
    Promise<Object> stopped = Promise.promise();
    Thread thread =
        new Thread(
            () -> {
              try {
                stop.get().<Object>map(done -> done).onComplete(stopped);
              } catch (Throwable e) { // of the application
                stopped.tryFail(e);
              }
            },
            "closing " + name);
    thread.setDaemon(true);
    thread.start();
    try {
      BlockingWait.awaitDespiteInterrupts(stopped.future(), limit);
    } catch (TimeoutException e) {
      if (thread.isAlive()) {
        e.setStackTrace(thread.getStackTrace());
        thread.interrupt();
      }
      throw e;
    }
  }

  private synchronized void push(Part part) {
    if (isClosing) {
      throw new IllegalStateException(
          "%s cannot be added: this node is closing, or has closed".formatted(part.name()));
    }
    parts.push(part);
  }

  private static void stopped(Supplier<? extends Future<?>> stop, Duration limit) throws Exception {
    BlockingWait.awaitDespiteInterrupts(stop.get(), limit);
  }

  private synchronized @Nullable Part next() {
    isClosing = true;
    return parts.poll();
  }

  /**
   * Stops all parts, the last one first; failures and errors are logged. Blocks for {@code limit},
   * or a second for each part if that is longer. An interrupt does not cut that short; the thread
   * has it again afterwards.
   *
   * @param isLost whether the store is gone, so that parts which need it cannot stop cleanly
   */
  void close(Duration limit, BooleanSupplier isLost) {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      for (Part part = next(); part != null; part = next()) {
        interrupted |= Thread.interrupted(); // else what blocks would give up at once
        Duration left = Duration.ofNanos(deadlineNs - System.nanoTime());
        stop(part, isLost.getAsBoolean() ? LEAST : part.share(left), isLost);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void stop(Part part, Duration limit, BooleanSupplier isLost) {
    long begunNs = System.nanoTime();
    try {
      part.stop().run(limit);
      log.info(
          "closed: {} ({} ms)",
          part.name(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs));
    } catch (Throwable e) { // an Error, too: the other parts hold locks and sessions
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (isLost.getAsBoolean()) {
        log.info("{} did not close cleanly, its store is gone", part.name(), e);
      } else {
        log.warn(
            "{} did not close cleanly{}, the close goes on",
            part.name(),
            e instanceof TimeoutException ? " within %d ms".formatted(limit.toMillis()) : "",
            e);
      }
    }
  }
}
