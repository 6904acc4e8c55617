package io.callboard;

import io.callboard.cell.CellListener;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Small news from any node of a cell to the subscribers on all of its nodes: a row that has
 * changed, for a read model or a dashboard; a key that is void, for a cache.
 *
 * <pre>{@code
 * Broadcast<PriceNews> prices = callboard.broadcast("prices", PriceNews.class);
 * Runnable end = prices.subscribe(news -> cache.put(news.item(), news.cents()));
 * prices.publish("item-7", new PriceNews("item-7", 500)).onFailure(this::report);
 * }</pre>
 *
 * <p>At most once, and nothing is stored: a node that joins, restarts or is slow misses some, so
 * whoever must not miss any reads its source again now and then, and when the members of the cell
 * change ({@link CellListener#membersChanged}). What is published within 10 ms travels to each node
 * in one frame; for one that is slower the last 1,000 news or 4 MiB wait, older ones are dropped,
 * counted and logged. News of one node come in the order in which they were published, but for
 * those that a later one of their key replaces.
 *
 * @param <T> a record, or a sealed protocol of them
 */
public interface Broadcast<T> {
  /**
   * {@code name}, if a broadcast can have it: 1 to 100 letters, digits and {@code - _ .}
   *
   * @throws IllegalArgumentException if none can
   */
  static String named(@Nullable String name) {
    if (name == null || !name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "\"%.120s\" is not the name of a broadcast: use 1 to 100 letters, digits and - _ ."
              .formatted(name));
    }
    return name;
  }

  String name();

  /**
   * Publishes news. Any thread.
   *
   * @return complete at once, when they are on their way: no sign that anybody gets them. Fails
   *     with {@link CallboardException} of code {@code BAD_MESSAGE} if they cannot be written as
   *     JSON or are none of the protocol, and {@code PAYLOAD_TOO_LARGE} if they have over 256 KiB
   */
  Future<Void> publish(T news);

  /**
   * {@link #publish(Object)}; of news with this key that are not on their way yet only the last.
   */
  Future<Void> publish(String key, T news);

  /**
   * Passes on the news of all nodes, this one among them, from now on. At most 10,000 wait for
   * {@code subscriber}: of more the newest are dropped, and the log says so.
   *
   * @param subscriber called on the caller's context; what it throws is logged
   * @return ends that
   */
  Runnable subscribe(Consumer<? super T> subscriber);
}
