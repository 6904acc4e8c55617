package io.callboard.internal.mailbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * Message on its way to a handler, with its reply, deadline, ticket and trace. In a volatile
 * mailbox a message without any of these travels as itself.
 *
 * @param deadlineNanos on the monotonic clock, from which on it is not handled any more; {@link
 *     #NEVER} if there is none
 * @param ticket must be valid when it is handled; null if there is none
 * @param trace of the message; null if it has none
 * @param attemptOf the delivery of a durable actor of which this is an attempt, {@code
 *     <path>~<id>}; null for another message
 */
public record Delivery(
    Object message,
    Reply reply,
    long deadlineNanos,
    @Nullable Ticket ticket,
    @Nullable TraceContext trace,
    @Nullable String attemptOf) {
  /** Deadline of a message without one. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Ticket of a message that can be taken back while it is in the mailbox. */
  public interface Ticket {
    /** Returns whether the message is still valid; called when it is about to be handled. */
    boolean redeem();

    /**
     * Returns whether the message is the receiver's own, such as that of a timer: no limit of its
     * mail drops it, for there are no more of these than timers and watches.
     */
    default boolean isOwn() {
      return false;
    }

    /** Called when its message will not be handled, for there was no room for it. Any thread. */
    default void lost() {}

    /**
     * Called when its message is being handled and is stashed.
     *
     * @return whether the message can still be taken back in the stash; if so, {@link #redeem} is
     *     called again
     */
    default boolean aside() {
      return false;
    }
  }

  /** Ticket of an outcome that its actor sends itself: it is not taken back. */
  private static final Ticket OUTCOME = () -> true;

  /** Makes a message that is no attempt of a delivery. */
  public Delivery(
      Object message,
      Reply reply,
      long deadlineNanos,
      @Nullable Ticket ticket,
      @Nullable TraceContext trace) {
    this(message, reply, deadlineNanos, ticket, trace, null);
  }

  /** Makes a delivery without a trace. */
  public Delivery(Object message, Reply reply, long deadlineNanos, @Nullable Ticket ticket) {
    this(message, reply, deadlineNanos, ticket, null);
  }

  public Delivery(Object message, Reply reply, @Nullable TraceContext trace) {
    this(message, reply, NEVER, null, trace);
  }

  /** Makes a delivery without a reply. */
  public static Delivery of(Object message) {
    return new Delivery(message, Reply.NONE, NEVER, null);
  }

  /**
   * Makes the outcome of something that its receiver has begun and pipes to itself. It is handled
   * in whichever life of the actor it comes, and ends without a dead letter when the actor is
   * stopped, or a durable one ends on this node.
   */
  public static Delivery outcome(Object message, @Nullable TraceContext trace) {
    return new Delivery(message, Reply.NONE, NEVER, OUTCOME, trace);
  }

  /** Returns the delivery that {@code item} of a volatile mailbox stands for. */
  public static Delivery from(Object item) {
    return item instanceof Delivery delivery ? delivery : of(item);
  }

  /**
   * Returns the delivery as it is stashed: its deadline still counts, and it is untied unless its
   * ticket can take it back there.
   */
  public Delivery aside() {
    return ticket != null && ticket.aside() ? this : untied();
  }

  /** Returns a copy without a ticket, which cannot be taken back any more. */
  public Delivery untied() {
    return ticket == null
        ? this
        : new Delivery(message, reply, deadlineNanos, null, trace, attemptOf);
  }

  /** Returns the path of the actor that delivers it; null if it is no attempt of a delivery. */
  public @Nullable ActorPath sender() {
    return attemptOf == null
        ? null
        : ActorPath.of(attemptOf.substring(0, attemptOf.lastIndexOf('~')));
  }

  /**
   * Returns whether the message belongs to the life that it was sent in, and ends with it without a
   * dead letter.
   */
  public boolean endsWithItsLife() {
    return ticket != null && ticket != OUTCOME;
  }

  /** Returns whether the end of its actor on this node ends the message without a dead letter. */
  public boolean endsWithItsActor() {
    return ticket != null;
  }

  /** Returns whether no limit drops it; see {@link Ticket#isOwn}. */
  public boolean isOwn() {
    return ticket != null && ticket.isOwn();
  }

  /** Reports that it will not be handled, and fails its ask. */
  public void lost(Throwable why) {
    if (ticket != null) {
      ticket.lost();
    }
    reply.fail(why);
  }

  /** Returns whether the deadline of the message has passed. */
  public boolean isOverdue(long nowNanos) {
    return deadlineNanos != NEVER && nowNanos - deadlineNanos >= 0;
  }

  /**
   * Returns whether the message is still to be handled: it was not taken back, and its ask waits.
   * Called when it is about to be handled.
   */
  public boolean redeem() {
    if (ticket != null && !ticket.redeem()) {
      return false;
    } else if (reply.isOver()) {
      reply.released();
      return false;
    }
    return true;
  }
}
