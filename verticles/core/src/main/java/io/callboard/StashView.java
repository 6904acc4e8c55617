package io.callboard;

import java.util.List;

/**
 * Live view of an actor's stash: the messages put aside with {@link Actor#stash} and not yet taken
 * up again. Read-only except for {@link #clear}. The message being handled is in it once its
 * handler has succeeded. Confined to the actor's context.
 *
 * @param <M> the protocol of the actor
 */
public interface StashView<M> {
  /** Returns the number of stashed messages. */
  int size();

  /** Returns the limit of stashed messages; one more fails the handler that stashes it. */
  int capacity();

  /** Returns whether the stash holds no message. */
  default boolean isEmpty() {
    return size() == 0;
  }

  /** Returns whether the stash holds as many messages as it may: the next one is refused. */
  default boolean isFull() {
    return size() >= capacity();
  }

  /**
   * Returns the stashed messages, in the order in which they will be taken up; an immutable copy.
   *
   * @throws UnsupportedOperationException in a durable actor, whose stashed messages are stored in
   *     its mailbox: {@link io.callboard.admin.CallboardAdmin#waiting} reads that
   */
  List<M> messages();

  /**
   * Discards all stashed messages, at once, even if the handler fails afterwards: each becomes a
   * dead letter and its ask fails with that cause, as by {@link Actor#refuse}. The message of a
   * timer becomes one only if the timer was not cancelled or restarted.
   *
   * @return the number of discarded messages
   * @throws UnsupportedOperationException in a durable actor, which consumes messages only with the
   *     turns that handle them: take them up, and refuse each
   */
  int clear(CallboardException why);
}
