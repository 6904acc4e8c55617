package io.callboard.pollers.internal.kafka;

import io.callboard.time.Machine;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Offsets of one partition that were delivered and cannot be committed yet: the lowest of them is
 * not done, or nobody has committed them. Their number is limited. Knows no I/O and no thread.
 *
 * <p>What may be committed is always the lowest offset that is not done; if all are done, the one
 * behind the last.
 */
@Machine
final class OffsetWindow {
  private final int most;
  private final TreeMap<Long, Boolean> delivered = new TreeMap<>();
  private long position = -1;
  private long committed = -1;

  /**
   * Creates an empty window.
   *
   * @param most largest number of offsets that it holds
   */
  OffsetWindow(int most) {
    this.most = most;
  }

  /**
   * Returns whether this offset may be delivered now: again, or as a new one for which there is
   * room.
   */
  boolean admits(long offset) {
    return delivered.containsKey(offset) ? isOpen(offset) : offset >= position && !isFull();
  }

  /**
   * Returns whether this offset was delivered and is done; a consumer that reads it again was set
   * back.
   */
  boolean isPast(long offset) {
    return offset < position && !isOpen(offset);
  }

  boolean isFull() {
    return delivered.size() >= most;
  }

  private boolean isOpen(long offset) {
    return Boolean.FALSE.equals(delivered.get(offset));
  }

  /** Records that an offset was delivered; for one that is open it changes nothing. */
  void deliver(long offset) {
    if (!admits(offset)) {
      throw new IllegalStateException(
          "offset %d is not to be delivered; the next is %d, and %d of %d are open or wait"
              .formatted(offset, position, delivered.size(), most));
    }
    delivered.putIfAbsent(offset, false);
    if (committed < 0) {
      committed = offset;
    }
    position = Math.max(position, offset + 1);
  }

  /**
   * Records that an offset is done.
   *
   * @return whether it was open
   */
  boolean done(long offset) {
    if (!isOpen(offset)) {
      return false;
    }
    delivered.put(offset, true);
    while (!delivered.isEmpty() && !isOpen(delivered.firstKey())) {
      delivered.remove(delivered.firstKey());
    }
    return true;
  }

  /** Returns the offset that may be committed; empty if it is committed already. */
  OptionalLong committable() {
    long lowest = delivered.isEmpty() ? position : delivered.firstKey();
    return lowest > committed ? OptionalLong.of(lowest) : OptionalLong.empty();
  }

  /** Records that an offset was committed. */
  void committed(long offset) {
    committed = Math.max(committed, offset);
  }

  /** Returns how many offsets it holds. */
  int size() {
    return delivered.size();
  }
}
