package io.callboard.internal.link;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounded queue of broadcast messages to be sent, oldest first; of those with one key it keeps only
 * the last. A machine without I/O; not thread-safe.
 */
@Machine
final class BroadcastQueue {
  /** Limit of the waiting messages. */
  static final int MOST = 1_000;

  /** Limit of their bytes. */
  static final int MOST_BYTES = 4 << 20;

  /** Bytes after which a frame takes no further message. */
  static final int FRAME_BYTES = 256 << 10;

  private final Map<Object, Broadcasts.News> waiting = new LinkedHashMap<>();
  private long bytes;

  private record Slot(String name, String key) {}

  /**
   * Adds a message at the end; the oldest make room for it.
   *
   * @return how many were dropped
   */
  int add(Broadcasts.News message) {
    Object slot = message.key() == null ? new Object() : new Slot(message.name(), message.key());
    Broadcasts.News before = waiting.remove(slot);
    bytes += message.size() - (before == null ? 0 : before.size());
    waiting.put(slot, message);
    int dropped = 0;
    Iterator<Broadcasts.News> oldest = waiting.values().iterator();
    while (waiting.size() > MOST || bytes > MOST_BYTES) {
      bytes -= oldest.next().size();
      oldest.remove();
      dropped++;
    }
    return dropped;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Removes the messages of the next frame; empty if none wait. */
  List<Broadcasts.News> take() {
    List<Broadcasts.News> taken = new ArrayList<>();
    long size = 0;
    Iterator<Broadcasts.News> oldest = waiting.values().iterator();
    while (oldest.hasNext() && size < FRAME_BYTES) {
      Broadcasts.News next = oldest.next();
      oldest.remove();
      size += next.size();
      taken.add(next);
    }
    bytes -= size;
    return taken;
  }
}
