package io.callboard.store;

import java.util.List;
import java.util.Map;

/**
 * What a commit does to the outbox of the actor that it writes.
 *
 * @param made new entries by number
 * @param kept entries that hold less now, with what is left
 * @param gone entries whose every message is in its mailbox now
 */
public record OutboxChange(Map<Long, byte[]> made, Map<Long, byte[]> kept, List<Long> gone) {
  /** Leaves it as it is. */
  public static final OutboxChange NONE = new OutboxChange(Map.of(), Map.of(), List.of());

  /** Operations that it takes in a store. */
  public int operations() {
    return made.size() + kept.size() + gone.size();
  }

  public boolean isNone() {
    return operations() == 0;
  }

  /** Bytes that are written. */
  public long bytes() {
    long bytes = 0;
    for (byte[] entry : made.values()) {
      bytes += entry.length;
    }
    for (byte[] entry : kept.values()) {
      bytes += entry.length;
    }
    return bytes;
  }
}
