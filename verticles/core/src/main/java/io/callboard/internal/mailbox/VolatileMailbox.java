package io.callboard.internal.mailbox;

import io.callboard.Priority;
import org.jspecify.annotations.Nullable;

/**
 * The bounded mailbox of one actor in memory: many senders, one taker, a {@link Lane} for each
 * priority. Holds messages, and {@link Delivery deliveries} where something goes along with them.
 */
public final class VolatileMailbox {
  private final int limit;
  private final boolean dropsOldest;
  private final Lane normal;
  private volatile Lane @Nullable [] urgent;

  /**
   * @param limit messages of each priority
   * @param dropsOldest whether the oldest message makes room when one comes over the limit
   */
  public VolatileMailbox(int limit, boolean dropsOldest) {
    this.limit = limit;
    this.dropsOldest = dropsOldest;
    this.normal = lane();
  }

  private Lane lane() {
    return dropsOldest ? new DroppingLane(limit) : new RejectingLane(limit);
  }

  public int limit() {
    return limit;
  }

  /**
   * Takes a message or {@link Delivery}; from any thread.
   *
   * @return null if it was taken and nothing left; else what has no place: the item itself, or the
   *     oldest, which made room for it
   */
  public @Nullable Object offer(Object item) {
    return normal.put(item);
  }

  /** The same, in the lane of {@code priority}. */
  public @Nullable Object offer(Object item, Priority priority) {
    return priority == Priority.NORMAL ? normal.put(item) : urgent()[priority.ordinal()].put(item);
  }

  private Lane[] urgent() {
    Lane[] lanes = urgent;
    return lanes == null ? makeUrgent() : lanes;
  }

  private synchronized Lane[] makeUrgent() {
    Lane[] lanes = urgent;
    if (lanes == null) {
      lanes = new Lane[] {lane(), lane()};
      urgent = lanes;
    }
    return lanes;
  }

  /** The next message or delivery; null if there is none. By the taker only. */
  public @Nullable Object poll() {
    Lane[] lanes = urgent;
    if (lanes != null) {
      for (Lane lane : lanes) {
        Object first = lane.poll();
        if (first != null) {
          return first;
        }
      }
    }
    return normal.poll();
  }

  public boolean isEmpty() {
    Lane[] lanes = urgent;
    return normal.isEmpty() && (lanes == null || (lanes[0].isEmpty() && lanes[1].isEmpty()));
  }

  public int size() {
    Lane[] lanes = urgent;
    return normal.size() + (lanes == null ? 0 : lanes[0].size() + lanes[1].size());
  }
}
