package io.callboard.internal.inmemory;

import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.VolatileMailbox;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.store.WhenFull;
import org.jspecify.annotations.Nullable;

/**
 * Mail of a volatile actor, which outlives the actor's lives: unstashed messages come before those
 * of the mailbox. What has no place or no receiver becomes a dead letter.
 */
final class VolatileMail {
  private final ActorPath actor;
  private final VolatileMailbox mailbox;
  private final DeadLetters deadLetters;
  private volatile @Nullable Stash stash;

  VolatileMail(ActorPath actor, ActorOptions options, DeadLetters deadLetters) {
    this.actor = actor;
    this.mailbox =
        new VolatileMailbox(options.mailboxLimit(), options.whenFull() == WhenFull.DROP_OLDEST);
    this.deadLetters = deadLetters;
  }

  /** Adds a message to the mailbox, from any thread; see {@link VolatileMailbox#offer(Object)}. */
  @Nullable Object offer(Object item, Priority priority) {
    return mailbox.offer(item, priority);
  }

  /** Adds a message of the actor to itself; see {@link VolatileMailbox#offerOwn}. */
  @Nullable Object offerOwn(Delivery own) {
    return mailbox.offerOwn(own);
  }

  /** Removes the next message; null if there is none. By the life that handles it only. */
  @Nullable Object poll() {
    Stash now = stash;
    Object next = now == null ? null : now.poll();
    return next == null ? mailbox.poll() : next;
  }

  /** Returns the stash, made at first use. On the actor's context, or while the actor has none. */
  Stash stash() {
    Stash now = stash;
    if (now == null) {
      now = newStash();
      stash = now;
    }
    return now;
  }

  /** An empty stash, for a life that was left behind. */
  Stash closedStash() {
    return newStash().closed();
  }

  private Stash newStash() {
    return new Stash(actor, mailbox.limit(), this::tooLate);
  }

  private void tooLate(Object item) {
    lose(
        item,
        new CallboardException(
            Code.STOPPED,
            "a handler of %s stashed the message after the life of its actor had ended"
                .formatted(actor)));
  }

  /** Replaces the stash by that of the next life, while the timers of this one still run. */
  void outlive() {
    Stash now = stash;
    if (now != null) {
      stash = now.outlive();
    }
  }

  /** Returns whether the mailbox has no message, whatever is in the stash. */
  boolean isMailboxEmpty() {
    return mailbox.isEmpty();
  }

  /** Returns whether there is no message, neither in the mailbox nor in the stash. */
  boolean isEmpty() {
    return mailbox.isEmpty() && stashed() == 0;
  }

  /** Returns the number of messages in the mailbox and in the stash. */
  int size() {
    return mailbox.size() + stashed();
  }

  private int stashed() {
    Stash now = stash;
    return now == null ? 0 : now.size();
  }

  /** Returns the cause with which a message without a place is refused. */
  CallboardException full() {
    return CallboardException.mailboxFull(actor, mailbox.limit());
  }

  /** Makes a message a dead letter. */
  void lose(Object item, Throwable why) {
    deadLetters.lose(actor, item, why);
  }

  /** Makes a message of the actor to itself, for which there is no room, a dead letter. */
  void loseOwn(Delivery own) {
    CallboardException full = full();
    own.lost(full);
    deadLetters.add(actor, actor, own.message(), full);
  }

  /**
   * Turns all remaining mail into dead letters, but for what the actor has sent itself; a
   * concurrent sender does the same.
   */
  synchronized void loseAll(CallboardException why) {
    Stash now = stash;
    if (now != null) {
      now.release();
      for (Object left = now.poll(); left != null; left = now.poll()) {
        lose(left, why);
      }
    }
    for (Object left = mailbox.poll(); left != null; left = mailbox.poll()) {
      if (left instanceof Delivery delivery && delivery.endsWithItsActor()) {
        delivery.lost(why);
      } else {
        lose(left, why);
      }
    }
  }
}
