package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;

/**
 * Listener of a store's hints and events. Called on a thread of the store, which it must not block.
 */
public interface StoreListener {
  /**
   * Reports that {@code actor}, in a partition that this node owns, may have new mail. A hint: it
   * can be lost.
   *
   * @param sequence of the new segment
   */
  void mail(ActorPath actor, long sequence);

  /** Reports that the lease of {@code partition} changed, by whomever. A hint: it can be lost. */
  void leaseChanged(Partition partition);

  /** Reports that the set of live nodes, or what they publish, changed. */
  void membersChanged();

  /**
   * Reports that the connection is up again, or the session is new: watches may have missed
   * something.
   */
  void connected();

  /** Reports that there is no connection to the store; commits wait. */
  void disconnected();

  /**
   * Reports that the store has not answered for two thirds of the session: work that no two nodes
   * may do at the same time must stop. Called again when it answers.
   *
   * @param inTouch whether the store answers again
   */
  default void inTouch(boolean inTouch) {}

  /**
   * Reports that the session is known to live until {@code untilNanos}, because the store has
   * answered. Called several times a session; never by a store whose sessions do not expire.
   *
   * @param untilNanos until when the session lives at least, whatever happens, by {@link
   *     System#nanoTime}
   */
  default void sessionLives(long untilNanos) {}

  /**
   * Reports that the session has ended: this node is no member any more, and others may claim its
   * leases.
   */
  void sessionLost();

  /**
   * Reports that the session has ended for good: the store no longer serves this node. Called once.
   *
   * @param cause that {@link Store#renew} fails with, too
   */
  default void ended(Throwable cause) {}
}
