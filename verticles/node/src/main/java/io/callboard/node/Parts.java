package io.callboard.node;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Started parts of a node, closed in the reverse order of their start. Thread-safe. */
final class Parts {
  private static final Logger log = LoggerFactory.getLogger(Parts.class);

  /** Time that a part has in any case, and that it has if the store is gone. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Deque<Part> parts = new ArrayDeque<>();
  private boolean isClosing;

  /** Something that was started, and how it is stopped. */
  private record Part(String name, Stop stop) {}

  /** Stops a part; may block. */
  interface Stop {
    void run(Duration limit) throws Exception;
  }

  /** Adds a part that closes asynchronously. */
  void push(String name, Supplier<? extends Future<?>> stop) {
    push(name, limit -> Waiting.await(stop.get(), limit));
  }

  /**
   * Adds a part.
   *
   * @throws IllegalStateException if the closing has begun
   */
  synchronized void push(String name, Stop stop) {
    if (isClosing) {
      throw new IllegalStateException(
          "%s cannot be added: this node is closing, or has closed".formatted(name));
    }
    parts.push(new Part(name, stop));
  }

  private synchronized @Nullable Part next() {
    isClosing = true;
    return parts.poll();
  }

  /**
   * Stops all parts, the last one first; failures are logged. Blocks for {@code limit}, or a second
   * for each part if that is longer.
   *
   * @param isLost whether the store is gone, so that parts which need it cannot stop cleanly
   */
  void close(Duration limit, BooleanSupplier isLost) {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    for (Part part = next(); part != null; part = next()) {
      Duration left = Duration.ofNanos(deadlineNs - System.nanoTime());
      stop(part, isLost.getAsBoolean() || left.compareTo(LEAST) < 0 ? LEAST : left, isLost);
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
    } catch (Exception e) {
      if (isLost.getAsBoolean()) {
        log.info("{} did not close cleanly, its store is gone", part.name(), e);
      } else {
        log.warn("{} did not close cleanly within {} ms", part.name(), limit.toMillis(), e);
      }
    }
  }
}
