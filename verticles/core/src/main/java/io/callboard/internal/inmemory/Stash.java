package io.callboard.internal.inmemory;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stash of a volatile actor: stashed messages, and unstashed ones, which come before the mailbox in
 * the order in which they were stashed. At a restart all are unstashed, into the stash of the next
 * life; this one is closed then. Used on the actor's context; thread-safe, because the handler of a
 * life that was left behind may still use it.
 */
public final class Stash {
  private final ActorPath actor;
  private final int limit;
  private final Consumer<Object> lost;
  private @Nullable Deque<Object> aside;
  private @Nullable Deque<Object> first;
  private boolean closed;

  /**
   * @param limit the most stashed messages
   * @param lost takes messages that are stashed after the life has ended
   */
  public Stash(ActorPath actor, int limit, Consumer<Object> lost) {
    this.actor = actor;
    this.limit = limit;
    this.lost = lost;
  }

  /** Closes the stash: nothing is stashed any more. */
  synchronized Stash closed() {
    closed = true;
    return this;
  }

  /**
   * Requires room for one more.
   *
   * @throws CallboardException {@code MAILBOX_FULL} if there is none
   */
  synchronized void requireRoom() {
    if (aside != null && aside.size() >= limit) {
      throw CallboardException.stashFull(actor, limit);
    }
  }

  /** Stashes a message after its handler has succeeded. */
  void add(Object item) {
    if (!isAdded(item)) {
      lost.accept(item);
    }
  }

  private synchronized boolean isAdded(Object item) {
    if (closed) {
      return false;
    }
    if (aside == null) {
      aside = new ArrayDeque<>();
    }
    aside.addLast(item);
    return true;
  }

  /** Unstashes all messages. */
  void release() {
    release(Integer.MAX_VALUE);
  }

  /** Unstashes the oldest {@code most} messages, in their order. */
  synchronized void release(int most) {
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

  /** Returns the maximum number of stashed messages. */
  int limit() {
    return limit;
  }

  /** Stashed messages, oldest first. */
  synchronized List<Object> aside() {
    return aside == null ? List.of() : List.copyOf(aside);
  }

  /**
   * Removes all stashed messages.
   *
   * @return those that were not cancelled with their timer
   */
  synchronized List<Object> takeAside() {
    List<Object> taken = new ArrayList<>(aside());
    aside = null;
    taken.removeIf(item -> item instanceof Delivery delivery && !isStillSent(delivery));
    return taken;
  }

  private static boolean isStillSent(Delivery delivery) {
    return delivery.ticket() == null || delivery.ticket().redeem();
  }

  /**
   * Closes this stash and unstashes everything for the next life: drops messages whose ticket is
   * not valid any more, and unties the others from their tickets.
   *
   * @return the stash of the next life
   */
  synchronized Stash outlive() {
    Stash next = new Stash(actor, limit, lost);
    release();
    closed = true;
    if (first == null) {
      return next;
    }
    Deque<Object> left = new ArrayDeque<>(first.size());
    for (Object item : first) {
      if (!(item instanceof Delivery delivery) || delivery.ticket() == null) {
        left.addLast(item);
      } else if (delivery.redeem()) {
        left.addLast(delivery.untied());
      }
    }
    first = null;
    next.first = left;
    return next;
  }

  /** Removes the next unstashed message; null if there is none. */
  synchronized @Nullable Object poll() {
    return first == null ? null : first.pollFirst();
  }

  synchronized int size() {
    return (aside == null ? 0 : aside.size()) + (first == null ? 0 : first.size());
  }
}
