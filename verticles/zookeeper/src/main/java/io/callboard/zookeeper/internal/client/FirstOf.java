package io.callboard.zookeeper.internal.client;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The first of any number of elements in an order; the others are not kept. */
public final class FirstOf<T> {
  private final int limit;
  private final Comparator<T> order;
  private final PriorityQueue<T> lastFirst;

  /** Creates an empty selection of {@code limit} elements at most. */
  public FirstOf(int limit, Comparator<T> order) {
    this.limit = limit;
    this.order = order;
    this.lastFirst = new PriorityQueue<>(order.reversed());
  }

  /** Adds an element, and drops the last one if there are too many. */
  public void offer(T element) {
    lastFirst.add(element);
    if (lastFirst.size() > limit) {
      lastFirst.remove();
    }
  }

  /** Returns the remembered values, oldest first. */
  public List<T> all() {
    return lastFirst.stream().sorted(order).toList();
  }
}
