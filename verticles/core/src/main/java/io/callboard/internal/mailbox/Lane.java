package io.callboard.internal.mailbox;

import org.jspecify.annotations.Nullable;

/**
 * Queue of the messages of one priority in a volatile mailbox: many producers, one consumer, in
 * order.
 */
interface Lane {
  /**
   * Adds an item.
   *
   * @return null if it was added; else the item without a place: this one, or an older one that
   *     made room
   */
  @Nullable Object put(Object item);

  /** Removes the next item; null if there is none. By the consumer only. */
  @Nullable Object poll();

  /** Returns the number of items ever added. */
  long added();

  /** Returns the number of items ever removed. */
  long taken();

  boolean isEmpty();

  int size();
}
