package io.callboard.internal.mailbox;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lane that makes room for a new message by dropping its oldest one, but none that no limit drops
 * ({@link Delivery#isOwn}): these have no limit here, and keep their places.
 */
final class DroppingLane implements Lane {
  private final int limit;
  private final ArrayDeque<Object> queue = new ArrayDeque<>(4);
  private final ArrayDeque<Own> own = new ArrayDeque<>(0);
  private long added;
  private long ownAdded;

  /**
   * Message that is not dropped.
   *
   * @param after number of the others that come before it
   */
  private record Own(Delivery message, long after) {}

  DroppingLane(int limit) {
    this.limit = limit;
  }

  @Override
  public synchronized @Nullable Object put(Object item) {
    if (item instanceof Delivery delivery && delivery.isOwn()) {
      own.addLast(new Own(delivery, added));
      ownAdded++;
      return null;
    }
    Object oldest = queue.size() < limit ? null : queue.pollFirst();
    queue.addLast(item);
    added++;
    return oldest;
  }

  @Override
  public synchronized @Nullable Object poll() {
    Own first = own.peekFirst();
    if (first != null && first.after() <= added - queue.size()) {
      own.removeFirst();
      return first.message();
    }
    return queue.pollFirst();
  }

  @Override
  public synchronized long added() {
    return added + ownAdded;
  }

  @Override
  public synchronized long taken() {
    return added() - size();
  }

  @Override
  public synchronized boolean isEmpty() {
    return queue.isEmpty() && own.isEmpty();
  }

  @Override
  public synchronized int size() {
    return queue.size() + own.size();
  }
}
