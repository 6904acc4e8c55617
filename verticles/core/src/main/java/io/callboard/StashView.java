package io.callboard;

import java.util.List;

/**
 * What an actor has put aside with {@link Actor#stash} and not taken up again; read-only but for
 * {@link #clear}. It shows how that is now, each time it is asked; the message at hand is in it
 * once its handler has succeeded. Used on the actor's own context.
 *
 * @param <M> the protocol of the actor
 */
public interface StashView<M> {
  /** Messages that lie aside. */
  int size();

  /** Messages that may lie aside; one more fails the handler that stashes it. */
  int capacity();

  default boolean isEmpty() {
    return size() == 0;
  }

  default boolean isFull() {
    return size() >= capacity();
  }

  /**
   * The messages, the one that is taken up first at first; a copy that does not change.
   *
   * @throws UnsupportedOperationException of a durable actor, whose messages lie as bytes in its
   *     mailbox: {@link io.callboard.admin.CallboardAdmin#waiting} reads that
   */
  List<M> messages();

  /**
   * Gives up all messages that lie aside, at once, also if the handler fails then: each is a dead
   * letter with that cause, which whoever asked is told, as by {@link Actor#refuse}. What a timer
   * sent is one only if that was not cancelled or started again.
   *
   * @return how many they were
   * @throws UnsupportedOperationException of a durable actor, which consumes messages only with the
   *     turns that handle them: take them up, and refuse each
   */
  int clear(CallboardException why);
}
