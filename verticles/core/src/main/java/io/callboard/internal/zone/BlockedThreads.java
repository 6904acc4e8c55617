package io.callboard.internal.zone;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocked threads of a zone: those busy with one slice for longer than the limit. Each blockage is
 * reported once when it is seen and once when it has ended. A machine without I/O; not thread-safe.
 */
@Machine
final class BlockedThreads {
  private final long limitNanos;

  /** By thread, which is but a key here. */
  private final Map<Object, ThreadState.Busy> standing = new LinkedHashMap<>();

  /** Change to be reported. */
  sealed interface Event {
    ThreadState.Busy busy();

    /** A thread is blocked. */
    record Began(ThreadState.Busy busy) implements Event {}

    /** A thread is no longer blocked. */
    record Ended(ThreadState.Busy busy) implements Event {}
  }

  BlockedThreads(long limitNanos) {
    this.limitNanos = limitNanos;
  }

  /**
   * @param busy all threads of the zone that are busy now
   * @return the changes since the last look
   */
  List<Event> look(long nowNanos, List<ThreadState.Busy> busy) {
    Map<Object, ThreadState.Busy> now = new LinkedHashMap<>();
    for (ThreadState.Busy each : busy) {
      if (nowNanos - each.since() >= limitNanos) {
        now.put(each.thread(), each);
      }
    }
    List<Event> events = new ArrayList<>();
    for (Iterator<ThreadState.Busy> known = standing.values().iterator(); known.hasNext(); ) {
      ThreadState.Busy before = known.next();
      ThreadState.Busy same = now.get(before.thread());
      if (same == null || same.since() != before.since()) {
        known.remove();
        events.add(new Event.Ended(before));
      }
    }
    for (ThreadState.Busy each : now.values()) {
      if (standing.putIfAbsent(each.thread(), each) == null) {
        events.add(new Event.Began(each));
      }
    }
    return events;
  }

  /** Returns the blocked threads as of the last look. */
  List<ThreadState.Busy> standing() {
    return List.copyOf(standing.values());
  }
}
