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

  boolean isEmpty();

  int size();
}
