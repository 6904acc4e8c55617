package io.callboard.pollers.feed;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory that ends with its client: after that the feed offers all of its entries again, and what
 * takes them in must know them by their ids.
 */
final class ShortMemory implements FeedMemory {
  private final Map<String, String> entries = new HashMap<>();

  @Override
  public Future<Map<String, String>> read() {
    return Future.succeededFuture(Map.copyOf(entries));
  }

  @Override
  public Future<Void> write(Map<String, String> puts, Collection<String> removed) {
    entries.putAll(puts);
    entries.keySet().removeAll(removed);
    return Future.succeededFuture();
  }
}
