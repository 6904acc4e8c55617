package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;

/** What a store tells by itself. Called on the store's own thread: hop, do not block. */
public interface StoreListener {
  /**
   * {@code actor}, in a partition that this node owns, may have new mail. A hint: it can be lost.
   *
   * @param sequence of the new segment
   */
  void mail(ActorPath actor, long sequence);

  /** The lease of {@code partition} changed, by whomever. A hint: it can be lost. */
  void leaseChanged(Partition partition);

  /** The set of live nodes, or what they publish, changed. */
  void membersChanged();

  /** The connection is up again, or the session is new: watches may have missed something. */
  void connected();

  /** There is no connection to the store; commits wait. */
  void disconnected();

  /**
   * Nothing was heard of the store for two thirds of the session: what others must not do beside
   * this node, this node must not do any more. Told again when it is heard.
   *
   * @param inTouch whether it is heard again
   */
  default void inTouch(boolean inTouch) {}

  /**
   * The store was heard. Told several times a session; by a store whose sessions do not end by
   * time, never.
   *
   * @param untilNanos until when the session lives at least, whatever happens, by {@link
   *     System#nanoTime}
   */
  default void sessionLives(long untilNanos) {}

  /** The session is over: this node's membership is gone, its leases may be claimed by others. */
  void sessionLost();

  /**
   * The session is over and no other will come: the store serves this node no more. Told once.
   *
   * @param cause that {@link Store#renew} fails with, too
   */
  default void ended(Throwable cause) {}
}
