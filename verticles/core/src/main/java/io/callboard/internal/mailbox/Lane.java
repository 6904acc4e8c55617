package io.callboard.internal.mailbox;

import org.jspecify.annotations.Nullable;

/** Messages of one priority in a volatile mailbox: many senders, one taker, in order. */
interface Lane {
  /** Null if it was taken; else what has no place: the item, or an older one that made room. */
  @Nullable Object put(Object item);

  /** The next; null if there is none. By the taker only. */
  @Nullable Object poll();

  boolean isEmpty();

  int size();
}
