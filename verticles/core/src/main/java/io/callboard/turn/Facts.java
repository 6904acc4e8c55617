package io.callboard.turn;

import io.callboard.store.Store;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/** What this node tells the other members of its cell. On the durable context. */
final class Facts {
  private final Store store;
  private final Map<String, String> facts = new HashMap<>();

  Facts(Store store) {
    this.store = store;
  }

  Future<Void> publish(String key, String value) {
    facts.put(key, value);
    return store.publish(Map.copyOf(facts));
  }
}
