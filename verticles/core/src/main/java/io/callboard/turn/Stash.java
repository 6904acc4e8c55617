package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a volatile actor has put aside, and those it has taken up again, which come before
 * its mailbox, in the order in which they were put aside. Outlives the actor's lives: at a restart
 * all are taken up. Used on the actor's context, or when it has none.
 */
final class Stash {
  private final ActorPath actor;
  private final int limit;
  private @Nullable Deque<Object> aside;
  private @Nullable Deque<Object> first;

  /**
   * @param limit messages that may be put aside
   */
  Stash(ActorPath actor, int limit) {
    this.actor = actor;
    this.limit = limit;
  }

  /**
   * Puts the message at hand aside.
   *
   * @param item null if there is none
   * @throws IllegalStateException if there is none
   * @throws CallboardException {@code MAILBOX_FULL}
   */
  void add(@Nullable Object item) {
    if (item == null) {
      throw new IllegalStateException(
          "%s has no message at hand to stash, or has stashed it already".formatted(actor));
    }
    if (aside == null) {
      aside = new ArrayDeque<>();
    }
    if (aside.size() >= limit) {
      throw CallboardException.stashFull(actor, limit);
    }
    aside.addLast(item instanceof Delivery delivery ? delivery.begun() : item);
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

  /** The next that was taken up again; null if there is none. */
  @Nullable Object poll() {
    return first == null ? null : first.pollFirst();
  }

  int size() {
    return (aside == null ? 0 : aside.size()) + (first == null ? 0 : first.size());
  }
}
