package io.callboard.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Change of an actor's outbox by a commit.
 *
 * @param made new entries by number
 * @param kept entries that hold less now, with what is left
 * @param gone entries of which all messages are in their mailboxes now
 * @param named the blobs of the messages in the new entries
 */
public record OutboxChange(
    Map<Long, byte[]> made, Map<Long, byte[]> kept, List<Long> gone, List<BlobKey> named) {
  /** Creates a change without large messages. */
  public OutboxChange(Map<Long, byte[]> made, Map<Long, byte[]> kept, List<Long> gone) {
    this(made, kept, gone, List.of());
  }

  /** Change that leaves the outbox as it is. */
  public static final OutboxChange NONE = new OutboxChange(Map.of(), Map.of(), List.of());

  /** Returns this change and {@code other} as one; no entry may be in both. */
  public OutboxChange and(OutboxChange other) {
    if (this == NONE || other == NONE) {
      return this == NONE ? other : this;
    }
    Map<Long, byte[]> allMade = new LinkedHashMap<>(made);
    allMade.putAll(other.made);
    Map<Long, byte[]> allKept = new LinkedHashMap<>(kept);
    allKept.putAll(other.kept);
    List<Long> allGone = new ArrayList<>(gone);
    allGone.addAll(other.gone);
    List<BlobKey> allNamed = new ArrayList<>(named);
    allNamed.addAll(other.named);
    return new OutboxChange(allMade, allKept, allGone, allNamed);
  }

  /** Operations that it takes in a store, at most. */
  public int operations() {
    return this == NONE ? 0 : (made.isEmpty() ? 0 : 1 + made.size()) + kept.size() + gone.size();
  }

  /** Returns the number of bytes that are written. */
  public long bytes() {
    if (this == NONE) {
      return 0; // on the way of every commit
    }
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
