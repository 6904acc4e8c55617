package io.callboard;

import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of one message: priority, deadline, reply address and trace. Immutable.
 *
 * @param priority the lane of the receiver's mailbox. A durable actor applies it to the mail that
 *     it has read ahead: up to 4,096 messages, 256 segments and 4 MiB
 * @param within the deadline for the start of handling, from now, positive and {@link Time#LONGEST}
 *     at most; null if there is none. Past it the message is not handled and becomes a dead letter.
 *     A durable actor measures it by its node's clock, the sender by its own
 * @param replyTo the actor that gets the answer; null if none does
 * @param trace the trace that the message belongs to; null for the trace of the message whose
 *     handler sends it, if that has one
 */
public record TellOptions(
    Priority priority,
    @Nullable Duration within,
    @Nullable ActorRef<?> replyTo,
    @Nullable TraceContext trace) {
  /** The defaults: normal priority, and nothing else. */
  public static final TellOptions NONE = new TellOptions(Priority.NORMAL, null, null, null);

  /**
   * Creates options; a deadline longer than {@link Time#LONGEST} is cut to that.
   *
   * @throws IllegalArgumentException if {@code within} is not positive
   */
  public TellOptions {
    Objects.requireNonNull(priority, "priority is null: choose CONTROL, HIGH or NORMAL");
    if (within != null && (within.isZero() || within.isNegative())) {
      throw new IllegalArgumentException("within must be positive, not " + within);
    }
    within = within == null ? null : Time.atMostLongest(within);
  }

  /** Returns options with a receiver of the answer, and else the defaults. */
  public static TellOptions replyTo(ActorRef<?> actor) {
    return NONE.withReplyTo(actor);
  }

  /**
   * Returns options with a deadline for the start of handling, and else the defaults.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public static TellOptions within(Duration limit) {
    return NONE.withDeadline(limit);
  }

  /** Returns options with a priority, and else the defaults. */
  public static TellOptions priority(Priority lane) {
    return NONE.withPriority(lane);
  }

  /** Returns options with a trace, and else the defaults. */
  public static TellOptions trace(TraceContext context) {
    return NONE.withTrace(context);
  }

  /** Returns these options with another priority. */
  public TellOptions withPriority(Priority lane) {
    return new TellOptions(lane, within, replyTo, trace);
  }

  /**
   * Returns these options with another deadline for the start of handling, from the moment of
   * sending.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TellOptions withDeadline(Duration limit) {
    return new TellOptions(
        priority,
        Objects.requireNonNull(limit, "within is null: give a duration, or leave it out"),
        replyTo,
        trace);
  }

  /** Returns these options with another receiver of the answer. */
  public TellOptions withReplyTo(ActorRef<?> actor) {
    return new TellOptions(
        priority,
        within,
        Objects.requireNonNull(actor, "replyTo is null: give the ref of an actor, or leave it out"),
        trace);
  }

  /** Returns these options with another trace. */
  public TellOptions withTrace(TraceContext context) {
    return new TellOptions(
        priority,
        within,
        replyTo,
        Objects.requireNonNull(context, "trace is null: give a trace context, or leave it out"));
  }

  /** {@link #within} as an optional. */
  public Optional<Duration> deadline() {
    return Optional.ofNullable(within);
  }
}
