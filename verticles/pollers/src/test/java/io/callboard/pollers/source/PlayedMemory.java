package io.callboard.pollers.source;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Memory of a source in a map of the test. */
public final class PlayedMemory implements SourceMemory {
  private final Map<String, Long> keys = new ConcurrentHashMap<>();

  /** Returns what it has. */
  public Map<String, Long> keys() {
    return keys;
  }

  /** Returns a context with a memory of its own. */
  public static SourceContext context(Vertx vertx, String name, JsonObject settings) {
    return new SourceContext(vertx, name, settings, new PlayedMemory());
  }

  @Override
  public Future<Map<String, Long>> read() {
    return Future.succeededFuture(Map.copyOf(keys));
  }

  @Override
  public Future<Void> write(Map<String, Long> puts, Collection<String> removed) {
    keys.putAll(puts);
    keys.keySet().removeAll(removed);
    return Future.succeededFuture();
  }
}
