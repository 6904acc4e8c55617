package io.callboard.pollers.internal.protocol;

import java.util.HashMap;
import java.util.Map;

/**
 * Durable memory of a source.
 *
 * @param keys keys with their numbers
 */
public record MemoryState(Map<String, Long> keys) {
  /** Memory of a new source. */
  public static final MemoryState EMPTY = new MemoryState(Map.of());

  /** Copies the keys. */
  public MemoryState {
    keys = Map.copyOf(keys);
  }

  /** Returns the memory after an event. */
  public MemoryState after(MemoryChanged event) {
    Map<String, Long> next = new HashMap<>(keys);
    next.putAll(event.puts());
    next.keySet().removeAll(event.removed());
    return new MemoryState(next);
  }
}
