package io.callboard;

import io.callboard.cell.CellListener;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Best-effort publish and subscribe of small messages between all nodes of a cell: for example a
 * changed row, for a read model or a dashboard, or an invalid key, for a cache.
 *
 * <pre>{@code
 * Broadcast<PriceNews> prices = callboard.broadcast("prices", PriceNews.class);
 * Runnable end = prices.subscribe(news -> cache.put(news.item(), news.cents()));
 * prices.publish("item-7", new PriceNews("item-7", 500)).onFailure(this::report);
 * }</pre>
 *
 * <p>Delivery is at most once, and nothing is stored: a node that joins, restarts or is slow misses
 * messages, so a subscriber that must not miss any reads its source again now and then, and when
 * the members of the cell change ({@link CellListener#membersChanged}). Messages published within
 * 10 ms travel to each node in one frame; for a slower node the last 1,000 messages or 4 MiB wait,
 * older ones are dropped, counted and logged. Messages of one node arrive in the order in which
 * they were published, except those that a later one with the same key replaces.
 *
 * @param <T> a record, or a sealed protocol of them
 */
public interface Broadcast<T> {
  /**
   * Checks the name of a broadcast and returns it: 1 to 100 letters, digits and {@code - _ .}
   *
   * @throws IllegalArgumentException if the name is not valid
   */
  static String named(@Nullable String name) {
    if (name == null || !name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "\"%.120s\" is not a broadcast name: use 1 to 100 letters, digits and - _ ."
              .formatted(name));
    }
    return name;
  }

  /** Returns the name of the broadcast. */
  String name();

  /**
   * Publishes a message. May be called from any thread.
   *
   * @return complete at once, when the message is queued: no confirmation that a subscriber gets
   *     it. Fails with {@link CallboardException} of code {@code BAD_MESSAGE} if it cannot be
   *     written as JSON or is not of the protocol, and {@code PAYLOAD_TOO_LARGE} if it exceeds 256
   *     KiB
   */
  Future<Void> publish(T news);

  /**
   * Publishes a message with a key, of which it replaces a message that is still queued; otherwise
   * as {@link #publish(Object)}.
   */
  Future<Void> publish(String key, T news);

  /**
   * Subscribes to the messages of all nodes, this one included, from now on. At most 10,000 wait
   * for {@code subscriber}: beyond that the newest are dropped, which is logged.
   *
   * @param subscriber called on the caller's context; its exceptions are logged
   * @return ends the subscription
   */
  Runnable subscribe(Consumer<? super T> subscriber);
}
