package io.callboard;

import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What goes along with a message. Immutable.
 *
 * @param priority the lane of the receiver's mailbox. A durable actor goes by it among the mail
 *     that it has read: up to 4,096 messages, 256 segments and 4 MiB
 * @param within the time within which somebody wants it handled; null if there is no such limit.
 *     and {@link Time#LONGEST} at most. Begun later, it is not handled but a dead letter. A durable
 *     actor goes by its node's clock, and the sender by his
 * @param replyTo the actor that is told the answer; null if nobody is
 * @param trace what the message is a part of; null for what the message is a part of whose handler
 *     sends it, if there is one
 */
public record TellOptions(
    Priority priority,
    @Nullable Duration within,
    @Nullable ActorRef<?> replyTo,
    @Nullable TraceContext trace) {
  /** Nothing goes along. */
  public static final TellOptions NONE = new TellOptions(Priority.NORMAL, null, null, null);

  public TellOptions {
    Objects.requireNonNull(priority, "priority is null: choose CONTROL, HIGH or NORMAL");
    if (within != null && (within.isZero() || within.isNegative())) {
      throw new IllegalArgumentException("within must be positive, not " + within);
    }
    within = within == null ? null : Time.atMostLongest(within);
  }

  public static TellOptions replyTo(ActorRef<?> actor) {
    return NONE.withReplyTo(actor);
  }

  public static TellOptions within(Duration limit) {
    return NONE.withDeadline(limit);
  }

  public static TellOptions priority(Priority lane) {
    return NONE.withPriority(lane);
  }

  public static TellOptions trace(TraceContext context) {
    return NONE.withTrace(context);
  }

  public TellOptions withPriority(Priority lane) {
    return new TellOptions(lane, within, replyTo, trace);
  }

  public TellOptions withDeadline(Duration limit) {
    return new TellOptions(
        priority,
        Objects.requireNonNull(limit, "within is null: give a duration, or leave it out"),
        replyTo,
        trace);
  }

  public TellOptions withReplyTo(ActorRef<?> actor) {
    return new TellOptions(
        priority,
        within,
        Objects.requireNonNull(actor, "replyTo is null: give the ref of an actor, or leave it out"),
        trace);
  }

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
