package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.Map;
import java.util.TreeMap;

/**
 * Partitions whose jobs a node knows completely.
 *
 * @param epochs the epochs in which it owns them, by their numbers
 * @param reading whether it owns others that it is still reading
 */
@Machine
record Coverage(Map<Integer, Long> epochs, boolean reading) {
  /** Coverage of a node that knows nothing. */
  static final Coverage NONE = new Coverage(Map.of(), false);

  /** Returns what was covered before and is covered now, without a break. */
  Coverage and(Coverage now) {
    Map<Integer, Long> both = new TreeMap<>(epochs);
    both.entrySet().retainAll(now.epochs().entrySet());
    return new Coverage(both, reading || now.reading());
  }
}
