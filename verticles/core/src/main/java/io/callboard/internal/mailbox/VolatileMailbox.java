package io.callboard.internal.mailbox;

import io.callboard.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Bounded mailbox of one actor in memory: many producers, one consumer, a {@link Lane} for each
 * priority. Holds messages, or {@link Delivery deliveries} of those that have a reply, deadline,
 * ticket or trace.
 */
public final class VolatileMailbox {
  private final int limit;
  private final boolean dropsOldest;
  private final Lane normal;
  private volatile Lane @Nullable [] urgent;
  private volatile @Nullable Overflow own;

  /**
   * @param limit messages of each priority
   * @param dropsOldest whether a message beyond the limit displaces the oldest
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
   * Adds a message or {@link Delivery} with the normal priority; from any thread.
   *
   * @return null if it was added and displaced none; else the item without a place: this one, or
   *     the oldest, which made room for it
   */
  public @Nullable Object offer(Object item) {
    return normal.put(item);
  }

  /** Adds a message or {@link Delivery} to the lane of {@code priority}. */
  public @Nullable Object offer(Object item, Priority priority) {
    return priority == Priority.NORMAL ? offer(item) : urgent()[priority.ordinal()].put(item);
  }

  /**
   * Adds a message of the actor to itself, with the normal priority; from any thread. Beyond the
   * limit there is room for as many again, and for all that no limit drops ({@link
   * Delivery#isOwn}).
   *
   * @return as of {@link #offer(Object)}
   */
  public @Nullable Object offerOwn(Delivery item) {
    Overflow beyond = own;
    Object noPlace = beyond == null || beyond.isEmpty() ? offer(item) : item;
    if (noPlace != item) {
      return noPlace;
    }
    Overflow queue = own();
    if (!item.isOwn() && queue.limited() >= limit) {
      return item;
    }
    queue.add(item);
    return null;
  }

  private Overflow own() {
    Overflow queue = own;
    return queue == null ? makeOwn() : queue;
  }

  private synchronized Overflow makeOwn() {
    Overflow queue = own;
    if (queue == null) {
      queue = new Overflow(normal);
      own = queue;
    }
    return queue;
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

  /** Removes the next message or delivery; null if there is none. By the consumer only. */
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
    Overflow beyond = own;
    Object first = beyond == null ? null : beyond.poll();
    return first == null ? normal.poll() : first;
  }

  public boolean isEmpty() {
    Lane[] lanes = urgent;
    Overflow beyond = own;
    return normal.isEmpty()
        && (lanes == null || (lanes[0].isEmpty() && lanes[1].isEmpty()))
        && (beyond == null || beyond.isEmpty());
  }

  public int size() {
    Lane[] lanes = urgent;
    Overflow beyond = own;
    return normal.size()
        + (lanes == null ? 0 : lanes[0].size() + lanes[1].size())
        + (beyond == null ? 0 : beyond.size());
  }
}
