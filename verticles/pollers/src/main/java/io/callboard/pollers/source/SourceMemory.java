package io.callboard.pollers.source;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;

/**
 * Durable memory of one source, for a system that keeps no acknowledgements: keys, each with a
 * number. It outlives the clients of the source, and the node. Its futures complete on the context
 * of the caller, and fail with {@link SourceException}.
 */
public interface SourceMemory {
  /** Most keys. */
  int MOST_KEYS = 20_000;

  /** Most characters of a key: visible ones of ASCII. */
  int LONGEST_KEY = 20;

  /** Returns all keys with their numbers. */
  Future<Map<String, Long>> read();

  /**
   * Changes the memory; durable when the future succeeds, perhaps in part when it fails. Fails
   * without an effect if there is no room for more keys.
   *
   * @param puts keys with their new numbers
   * @param removed keys that are forgotten
   */
  Future<Void> write(Map<String, Long> puts, Collection<String> removed);
}
