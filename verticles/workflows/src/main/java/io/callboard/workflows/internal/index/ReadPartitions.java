package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import java.util.Map;
import java.util.TreeMap;

/**
 * Partitions whose instances a node knows completely.
 *
 * @param epochs the epochs in which it owns them, by their numbers
 * @param reading whether it owns others that it is still reading
 */
@Machine
record ReadPartitions(Map<Integer, Long> epochs, boolean reading) {
  /** Returns what was known before and is known now, without a break. */
  ReadPartitions and(ReadPartitions now) {
    Map<Integer, Long> both = new TreeMap<>(epochs);
    both.entrySet().retainAll(now.epochs().entrySet());
    return new ReadPartitions(both, reading || now.reading());
  }
}
