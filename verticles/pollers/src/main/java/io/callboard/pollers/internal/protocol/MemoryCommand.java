package io.callboard.pollers.internal.protocol;

import java.util.List;
import java.util.Map;

/** Commands of the memory of a source. */
public sealed interface MemoryCommand {
  /** Asks for the whole memory; answered with {@link MemoryState}. */
  record Recall() implements MemoryCommand {}

  /**
   * Changes the memory; answered with {@link Remembered}.
   *
   * @param puts keys with their new numbers
   * @param removed keys that are forgotten
   */
  record Remember(Map<String, Long> puts, List<String> removed) implements MemoryCommand {
    /** Copies both. */
    public Remember {
      puts = Map.copyOf(puts);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Answer to a change.
   *
   * @param keys number of keys that it has
   * @param isFull whether there was no room, and nothing was changed
   */
  record Remembered(int keys, boolean isFull) {}
}
