package io.callboard.internal.inmemory;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
    release(Integer.MAX_VALUE);
  }

  /** The oldest {@code most} of what was put aside come next, in their order. */
  void release(int most) {
    if (aside == null || aside.isEmpty()) {
      return;
    }
    boolean isAll = aside.size() <= most;
    if (isAll && (first == null || first.isEmpty())) {
      first = aside;
      aside = null;
      return;
    }
    Deque<Object> next = new ArrayDeque<>(Math.min(most, aside.size()));
    while (next.size() < most && !aside.isEmpty()) {
      next.addLast(aside.removeFirst());
    }
    if (first == null) {
      first = next;
      return;
    }
    while (!next.isEmpty()) {
      first.addFirst(next.removeLast());
    }
  }

  /** Messages that may be put aside. */
  int limit() {
    return limit;
  }

  /** What lies aside, the oldest first. */
  List<Object> aside() {
    return aside == null ? List.of() : List.copyOf(aside);
  }

  /** Takes all of it, but for what its timer took back. */
  List<Object> takeAside() {
    List<Object> taken = new ArrayList<>(aside());
    aside = null;
    taken.removeIf(item -> item instanceof Delivery delivery && !isStillSent(delivery));
    return taken;
  }

  private static boolean isStillSent(Delivery delivery) {
    return delivery.ticket() == null || delivery.ticket().redeem();
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
