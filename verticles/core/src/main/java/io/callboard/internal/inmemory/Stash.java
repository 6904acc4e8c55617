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
 * Stash of a volatile actor: stashed messages, and unstashed ones, which come before the mailbox in
 * the order in which they were stashed. Outlives the actor's lives: at a restart all are unstashed.
 * Used on the actor's context, or while the actor has none.
 */
public final class Stash {
  private final ActorPath actor;
  private final int limit;
  private @Nullable Deque<Object> aside;
  private @Nullable Deque<Object> first;

  /**
   * @param limit the most stashed messages
   */
  public Stash(ActorPath actor, int limit) {
    this.actor = actor;
    this.limit = limit;
  }

  /**
   * Requires room for one more.
   *
   * @throws CallboardException {@code MAILBOX_FULL} if there is none
   */
  void requireRoom() {
    if (aside != null && aside.size() >= limit) {
      throw CallboardException.stashFull(actor, limit);
    }
  }

  /** Stashes a message after its handler has succeeded. */
  void add(Object item) {
    if (aside == null) {
      aside = new ArrayDeque<>();
    }
    aside.addLast(item);
  }

  /** Unstashes all messages. */
  void release() {
    release(Integer.MAX_VALUE);
  }

  /** Unstashes the oldest {@code most} messages, in their order. */
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

  /** The most stashed messages. */
  int limit() {
    return limit;
  }

  /** Stashed messages, oldest first. */
  List<Object> aside() {
    return aside == null ? List.of() : List.copyOf(aside);
  }

  /**
   * Removes all stashed messages.
   *
   * @return those that were not cancelled with their timer
   */
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
   * Unstashes everything for the next life: drops messages whose ticket is not valid any more, and
   * unties the others from their tickets.
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

  /** Removes the next unstashed message; null if there is none. */
  @Nullable Object poll() {
    return first == null ? null : first.pollFirst();
  }

  int size() {
    Deque<Object> now = aside; // may be looked at from elsewhere
    Deque<Object> next = first;
    return (now == null ? 0 : now.size()) + (next == null ? 0 : next.size());
  }
}
