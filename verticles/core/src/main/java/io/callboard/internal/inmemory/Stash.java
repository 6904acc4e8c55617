package io.callboard.internal.inmemory;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a volatile actor has put aside, and those it has taken up again, which come before
 * its mailbox, in the order in which they were put aside. Outlives the actor's lives: at a restart
 * all are taken up. Used on the actor's context, or when it has none.
 */
public final class Stash {
  private final ActorPath actor;
  private final int limit;
  private @Nullable Deque<Object> aside;
  private @Nullable Deque<Object> first;

  /**
   * @param limit messages that may be put aside
   */
  public Stash(ActorPath actor, int limit) {
    this.actor = actor;
    this.limit = limit;
  }

  /**
   * @throws CallboardException {@code MAILBOX_FULL} if there is no room for one more
   */
  void requireRoom() {
    if (aside != null && aside.size() >= limit) {
      throw CallboardException.stashFull(actor, limit);
    }
  }

  /** Puts a message aside whose handler wanted that, and did not fail. */
  void add(Object item) {
    if (aside == null) {
      aside = new ArrayDeque<>();
    }
    aside.addLast(item);
  }

  /** All that was put aside comes next. */
  void release() {
    if (aside == null || aside.isEmpty()) {
      return;
    }
    if (first == null || first.isEmpty()) {
      first = aside;
      aside = null;
      return;
    }
    while (!aside.isEmpty()) {
      first.addFirst(aside.removeLast());
    }
  }

  /**
   * All of it outlives the life that ends: what can still be taken back is not handled if it was,
   * and nobody takes the rest back any more.
   */
  void outlive() {
    release();
    if (first == null) {
      return;
    }
    Deque<Object> left = new ArrayDeque<>(first.size());
    for (Object item : first) {
      if (!(item instanceof Delivery delivery) || delivery.ticket() == null) {
        left.addLast(item);
      } else if (delivery.redeem()) {
        left.addLast(delivery.untied());
      }
    }
    first = left;
  }

  /** The next that was taken up again; null if there is none. */
  @Nullable Object poll() {
    return first == null ? null : first.pollFirst();
  }

  int size() {
    Deque<Object> now = aside; // may be looked at from elsewhere
    Deque<Object> next = first;
    return (now == null ? 0 : now.size()) + (next == null ? 0 : next.size());
  }
}
