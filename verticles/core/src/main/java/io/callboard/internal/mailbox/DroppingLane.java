package io.callboard.internal.mailbox;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Lane that makes room for a new message by dropping its oldest one. */
final class DroppingLane implements Lane {
  private final int limit;
  private final ArrayDeque<Object> queue = new ArrayDeque<>(4);
  private long added;

  DroppingLane(int limit) {
    this.limit = limit;
  }

  @Override
  public synchronized @Nullable Object put(Object item) {
    Object oldest = queue.size() < limit ? null : queue.pollFirst();
    queue.addLast(item);
    added++;
    return oldest;
  }

  @Override
  public synchronized @Nullable Object poll() {
    return queue.pollFirst();
  }

  @Override
  public synchronized long added() {
    return added;
  }

  @Override
  public synchronized long taken() {
    return added - queue.size();
  }

  @Override
  public synchronized boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public synchronized int size() {
    return queue.size();
  }
}
