package io.callboard;

import io.callboard.time.Time;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A message that an actor holds beyond its handler, together with the sender that waits for its
 * answer ({@code ProxyActor.hold}): for proxies that decide later which actor handles it, and how
 * often it is tried. It is held in memory, and its holder must end it: {@link #answer}, {@link
 * #done}, {@link #fail}, {@link #passTo}, or the success of an {@link Attempt}. The first end
 * counts, later ones do nothing.
 *
 * <p>Thread-safe, except for {@link #hand} and {@link #passTo}, which are called on the context of
 * its holder.
 *
 * @param <M> the protocol of the holder
 */
public interface HeldMessage<M> {
  /** Returns the message. */
  M message();

  /**
   * Returns the delivery of a durable actor of which the message is an attempt, as its path and id;
   * empty for another message. All attempts of a delivery have the same: who holds one of them
   * needs no other, for they are repeated until the delivery is confirmed.
   */
  Optional<String> attemptOf();

  /**
   * Ends the message if it has lapsed: its ask has timed out, or its deadline has passed, which
   * makes it a dead letter.
   *
   * @return whether it ended in this way, now or before
   */
  boolean lapsed();

  /** Returns whether the message has ended. */
  boolean isOver();

  /**
   * Gives the message to {@code receiver} for one attempt; it stays held until that succeeds. The
   * receiver's answer goes to the sender that waits for it. If the receiver refuses the message, it
   * ends as refused, which counts as success.
   *
   * <p>The receiver is a volatile actor of this node. If it forwards the message to one of another
   * node, or to a durable actor, the attempt succeeds when the message is in that mailbox.
   */
  Attempt hand(ActorRef<M> receiver);

  /**
   * Ends the message with an answer, for the sender that waits for one.
   *
   * @return whether this was its end
   */
  boolean answer(Object answer);

  /**
   * Ends the message without an answer.
   *
   * @return whether this was its end
   */
  boolean done();

  /**
   * Ends the message as a dead letter; its ask fails with this cause.
   *
   * @return whether this was its end
   */
  boolean fail(CallboardException cause);

  /**
   * Ends the message by forwarding it to {@code receiver}.
   *
   * @return whether this was its end
   */
  boolean passTo(ActorRef<M> receiver);

  /** One attempt of one receiver to handle the message. Thread-safe. */
  interface Attempt {
    /**
     * Completes with the outcome of the attempt. Succeeds when the handler and its future have
     * completed, or when the message was answered, refused or forwarded. Fails if the handler
     * fails, or its answer, or if the message is lost on its way. Completes on the holder's
     * context.
     */
    Future<Void> outcome();

    /**
     * Takes the message back if the receiver has not begun to handle it.
     *
     * @return whether it had not begun; then the outcome is a failure
     */
    boolean takeBack();

    /**
     * Returns the time at which its handler began, in nanoseconds of {@link Time#nanoTime()}; empty
     * if it has not.
     */
    OptionalLong begunNanos();

    /** Returns whether the handler of the message has begun and is not known to have completed. */
    boolean isHandling();
  }
}
