package io.callboard.internal.zone;

import io.callboard.time.Machine;
import io.callboard.zone.ZonePriority;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Queues of a zone, one for each priority, each strictly in order. The highest that is not empty
 * goes first; a lower one that was passed over {@link ZonePriority#SHARE} − 1 times in a row goes
 * before it, the lowest such first. So none starves. A machine without I/O; not thread-safe.
 */
@Machine
final class PriorityQueues<T> {
  private final Lane<T>[] lanes;
  private int size;

  private static final class Lane<T> {
    final Queue<T> waiting = new ArrayDeque<>();
    int passedOver;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  PriorityQueues() {
    lanes = new Lane[ZonePriority.values().length];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane<>();
    }
  }

  int size() {
    return size;
  }

  void add(ZonePriority priority, T task) {
    lanes[priority.ordinal()].waiting.add(task);
    size++;
  }

  /** Removes the next item; null if there is none. */
  @Nullable T next() {
    Lane<T> chosen = null;
    for (Lane<T> lane : lanes) { // from the lowest
      if (lane.waiting.isEmpty()) {
        lane.passedOver = 0;
      } else if (chosen == null || chosen.passedOver < ZonePriority.SHARE - 1) {
        chosen = lane;
      }
    }
    if (chosen == null) {
      return null;
    }
    for (Lane<T> lane : lanes) {
      lane.passedOver = lane == chosen || lane.waiting.isEmpty() ? 0 : lane.passedOver + 1;
    }
    size--;
    return chosen.waiting.remove();
  }

  /** Removes all items. */
  void clear() {
    for (Lane<T> lane : lanes) {
      lane.waiting.clear();
    }
    size = 0;
  }
}
