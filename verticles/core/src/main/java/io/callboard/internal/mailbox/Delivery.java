package io.callboard.internal.mailbox;

import io.callboard.codecs.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to a handler, with what goes along with it. In a volatile mailbox a message
 * with which nothing goes along travels as itself.
 *
 * @param deadlineNanos of the monotonic clock: at that time nobody wants it handled any more;
 *     {@link #NEVER} if there is none
 * @param ticket what must still hold when it is handled; null if nothing
 * @param trace what it is a part of; null if of nothing that is traced
 */
public record Delivery(
    Object message,
    Reply reply,
    long deadlineNanos,
    @Nullable Ticket ticket,
    @Nullable TraceContext trace) {
  /** Of a message without a deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What a message needs that may be taken back while it is in the mailbox. */
  public interface Ticket {
    /** Whether it holds; asked when its message is about to be handled. */
    boolean redeem();

    /** Its message will not be handled: there was no place for it. Any thread. */
    default void lost() {}

    /**
     * Its message is at hand and is put aside; whether it may be taken back while it lies there. If
     * so, {@link #redeem} is asked again.
     */
    default boolean aside() {
      return false;
    }
  }

  /** Of no trace. */
  public Delivery(Object message, Reply reply, long deadlineNanos, @Nullable Ticket ticket) {
    this(message, reply, deadlineNanos, ticket, null);
  }

  public Delivery(Object message, Reply reply, @Nullable TraceContext trace) {
    this(message, reply, NEVER, null, trace);
  }

  /** Nobody waits for an answer. */
  public static Delivery of(Object message) {
    return new Delivery(message, Reply.NONE, NEVER, null);
  }

  /** What {@code item} of a volatile mailbox means. */
  public static Delivery from(Object item) {
    return item instanceof Delivery delivery ? delivery : of(item);
  }

  /** The same when it is put aside by its handler: its time goes on. */
  public Delivery aside() {
    return ticket != null && ticket.aside() ? this : untied();
  }

  /** The same where nobody can take it back any more. */
  public Delivery untied() {
    return ticket == null ? this : new Delivery(message, reply, deadlineNanos, null, trace);
  }

  /** Whether it is of the life that it was sent in, and void with it: no dead letter. */
  public boolean endsWithItsLife() {
    return ticket != null;
  }

  /** It will not be handled: tells who waits. */
  public void lost(Throwable why) {
    if (ticket != null) {
      ticket.lost();
    }
    reply.fail(why);
  }

  /** Whether it is too late for it. */
  public boolean isOverdue(long nowNanos) {
    return deadlineNanos != NEVER && nowNanos - deadlineNanos >= 0;
  }

  /**
   * Whether it is still to be handled: not taken back, and who asked waits. Called when it is about
   * to be handled.
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
