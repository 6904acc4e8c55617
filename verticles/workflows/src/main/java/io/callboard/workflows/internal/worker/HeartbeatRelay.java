package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats of one run on their way to its worker. One at a time is under way; of those that come
 * meanwhile the last one follows, so that a handler cannot fill the mailbox of its worker.
 * Thread-safe.
 */
final class HeartbeatRelay {
  /** Maximum size of a heartbeat as JSON, in bytes. */
  static final int MOST_BYTES = 4 * 1024;

  private final Function<JsonNode, Future<?>> worker;
  private final AtomicReference<@Nullable JsonNode> last = new AtomicReference<>();
  private final AtomicBoolean underWay = new AtomicBoolean();

  /**
   * Creates the relay to a worker.
   *
   * @param worker sends a heartbeat; it calls {@link #arrived} when it has that
   */
  HeartbeatRelay(Function<JsonNode, Future<?>> worker) {
    this.worker = worker;
  }

  /**
   * Sends a heartbeat, now or when the one under way has arrived.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MOST_BYTES}
   */
  void send(JsonNode progress) {
    int bytes = Json.bytes(Objects.requireNonNull(progress, "progress")).length;
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a heartbeat has %,d bytes as JSON; the limit is %,d: report figures, and keep data elsewhere"
              .formatted(bytes, MOST_BYTES));
    }
    last.set(progress.deepCopy()); // the handler may go on changing it
    next();
  }

  /** Records that the heartbeat under way has arrived, or was lost. */
  void arrived() {
    underWay.set(false);
    next();
  }

  private void next() {
    while (last.get() != null && underWay.compareAndSet(false, true)) {
      JsonNode progress = last.getAndSet(null);
      if (progress != null) {
        worker.apply(progress).onFailure(lost -> arrived());
        return;
      }
      underWay.set(false);
    }
  }
}
