package io.callboard;

import io.callboard.time.Time;
import io.vertx.core.Future;
import java.util.OptionalLong;

/**
 * A message that an actor keeps after its handler, with whoever waits for its answer ({@link
 * Actor#keep()}): for proxies that decide later who handles it, and how often it is tried. It lives
 * in memory, and its keeper owes it an end: {@link #answer}, {@link #done}, {@link #fail}, {@link
 * #passTo}, or the success of an {@link Attempt}. The first end counts, later ones do nothing.
 *
 * <p>Any thread, but for {@link #hand} and {@link #passTo}: those on the context of its keeper.
 *
 * @param <M> the protocol of the keeper
 */
public interface HeldMessage<M> {
  M message();

  /**
   * Ends it if nobody wants it any more: whoever asked waits no longer, or its deadline is over,
   * which makes it a dead letter.
   *
   * @return whether it ended in this way, now or before
   */
  boolean lapsed();

  /** Whether it has ended. */
  boolean isOver();

  /**
   * Lets {@code receiver} try it; the message stays kept until that succeeded. The receiver's
   * answer goes to whoever waits for it. If the receiver refuses the message, it ends as refused,
   * which is a success.
   *
   * <p>The receiver is a volatile actor of this node. What it passes on to one of another node, or
   * to a durable one, has succeeded when it is in the mailbox there.
   */
  Attempt hand(ActorRef<M> receiver);

  /**
   * Ends it with this answer, if anybody waits for one.
   *
   * @return whether this was its end
   */
  boolean answer(Object answer);

  /**
   * Ends it without an answer.
   *
   * @return whether this was its end
   */
  boolean done();

  /**
   * Ends it as a dead letter with this cause, which whoever asked is told.
   *
   * @return whether this was its end
   */
  boolean fail(CallboardException cause);

  /**
   * Ends it here: from now on it is the {@code receiver}'s, as if forwarded.
   *
   * @return whether this was its end
   */
  boolean passTo(ActorRef<M> receiver);

  /** One try of one receiver. Any thread. */
  interface Attempt {
    /**
     * Succeeds when the message is handled: its handler is done, also its future, or it was
     * answered, refused or given to somebody else. Fails if the handler fails, or its answer, or if
     * the message is lost on its way. Completes on the keeper's context.
     */
    Future<Void> outcome();

    /**
     * What the receiver has not begun it never does.
     *
     * @return whether it had not begun; then the outcome is a failure
     */
    boolean takeBack();

    /** When its handler began, in nanoseconds of {@link Time#nanoTime()}; empty if it did not. */
    OptionalLong begunNanos();

    /** Whether its handler has begun and is not known to be done. */
    boolean isHandling();
  }
}
