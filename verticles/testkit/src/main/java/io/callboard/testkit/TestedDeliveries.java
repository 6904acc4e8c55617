package io.callboard.testkit;

import java.util.Set;
import java.util.TreeSet;

/**
 * What a tested actor delivers, as of one of its objects: the ids that are not confirmed. They
 * begin with 1.
 */
final class TestedDeliveries {
  private final Set<Long> open;
  private long last;

  TestedDeliveries() {
    this(Set.of(), 0);
  }

  private TestedDeliveries(Set<Long> open, long last) {
    this.open = new TreeSet<>(open);
    this.last = last;
  }

  /** The same for another object. */
  TestedDeliveries copy() {
    return new TestedDeliveries(open, last);
  }

  long begin() {
    open.add(++last);
    return last;
  }

  boolean confirm(long id) {
    return open.remove(id);
  }

  void clear() {
    open.clear();
  }

  int size() {
    return open.size();
  }
}
