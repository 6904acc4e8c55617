package io.callboard;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Speaks to one actor, wherever it runs. Survives its restarts and moves; equal if the paths are.
 *
 * <p>A component of a message, a state or an event may be a ref: it is written as its {@link
 * #address()}. One that was read speaks through the node whose actor uses it; elsewhere its futures
 * fail with {@link IllegalStateException}.
 */
public interface ActorRef<M> {
  ActorPath path();

  /** Whether the actor's mailbox is durable. */
  boolean durable();

  /** As it is stored and sent: {@code durable:/path} or {@code volatile:/path}. */
  @JsonValue
  default String address() {
    return UnresolvedRef.text(this);
  }

  /**
   * The ref of that {@link #address()}.
   *
   * @throws IllegalArgumentException if it is none
   */
  @JsonCreator
  static <M> ActorRef<M> read(String address) {
    return UnresolvedRef.read(address);
  }

  /**
   * Sends a message.
   *
   * <p>To a durable actor: the future succeeds when the message is durable; from then on it
   * survives any crash. To a volatile one: when it is in the mailbox, here or on another node.
   * Messages of one sender to one receiver keep their order. Up to 16 MiB as JSON; over 32 KiB a
   * message to a durable actor takes longer, for its body is stored first. To a volatile actor of
   * the same node it passes by reference: it is neither written as JSON nor measured, so one that
   * could not travel passes there.
   *
   * <p>Called inside a durable actor's turn, the message is a part of the turn: it is sent by the
   * commit or not at all, and the future is complete at once. A ref of another Callboard of the
   * same process is no part of it: the message leaves at once for the other one's cell. (What the
   * actor's own {@code tell} or {@code forward} gives such a ref leaves after the commit, as
   * effects do.)
   *
   * @return fails with {@link CallboardException}, code {@code MAILBOX_FULL}, {@code
   *     PAYLOAD_TOO_LARGE}, {@code BAD_MESSAGE} if it is null, cannot be written as JSON, lacks
   *     what must be there or (durable only) could not be read back, {@code NO_SUCH_ACTOR}
   *     (volatile only) or {@code UNAVAILABLE}
   */
  Future<Void> tell(M message);

  /**
   * {@link #tell(Object)} with a priority, a deadline or an actor that is told the answer.
   *
   * <p>A message over its deadline, or over the limit of its lane, is a dead letter.
   */
  Future<Void> tell(M message, TellOptions options);

  /**
   * Sends a message and waits for the answer that its handler gives with {@code reply}. It leaves
   * at once, also from inside a turn, and is no part of that turn. A volatile actor of the same
   * node that has not come to it when the time is over never does.
   *
   * <p>The message is limited as by {@link #tell}. The answer of an actor of the same node, durable
   * or volatile, passes by reference and is not measured; from another node it has up to 16 MiB as
   * JSON.
   *
   * @param answer the type of the answer: a record or a sealed protocol of them
   * @param timeout positive; after it the outcome is unknown; {@link Time#LONGEST} at most
   * @return fails at once with the cause, code {@code HANDLER_FAILED}, if the handler fails; with
   *     {@code TIMEOUT} if no answer came in time, which says so if the actor is here and was given
   *     up; with {@code PAYLOAD_TOO_LARGE} if the answer is over its limit, with its type and size;
   *     with {@link IllegalArgumentException} if the timeout is not positive
   */
  <R> Future<R> ask(M message, Class<R> answer, Duration timeout);

  /**
   * {@link #ask(Object, Class, Duration)} as a part of that trace. Otherwise an ask is a part of
   * what the message is a part of whose handler asks, if there is one.
   */
  <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace);

  /** {@link #ask(Object, Class, Duration)} with {@link CallboardOptions#askTimeout()}. */
  <R> Future<R> ask(M message, Class<R> answer);
}
