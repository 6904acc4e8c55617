package io.callboard.pollers.internal.protocol;

import java.util.List;
import java.util.Map;

/**
 * Event of the memory of a source.
 *
 * @param puts keys with their new numbers
 * @param removed keys that are forgotten
 */
public record MemoryChanged(Map<String, Long> puts, List<String> removed) {
  /** Copies both. */
  public MemoryChanged {
    puts = Map.copyOf(puts);
    removed = List.copyOf(removed);
  }
}
