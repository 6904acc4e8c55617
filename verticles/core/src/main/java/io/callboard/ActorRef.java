package io.callboard;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Location-transparent reference to one actor: sends it messages wherever it runs. It stays valid
 * when the actor restarts or moves. Two refs are equal if their paths are. Thread-safe.
 *
 * <p>A component of a message, a state or an event may be a ref: it is written as its {@link
 * #address()}. A ref that was read sends through the node whose actor uses it; elsewhere its
 * futures fail with {@link IllegalStateException}.
 */
public interface ActorRef<M> {
  /** Returns the actor's path, unique in its cell. */
  ActorPath path();

  /** Returns whether the actor's mailbox is durable. */
  boolean durable();

  /**
   * Returns the text form in which a ref is stored and sent: {@code durable:/path} or {@code
   * volatile:/path}.
   */
  @JsonValue
  default String address() {
    return UnresolvedRef.text(this);
  }

  /**
   * Returns the ref with that {@link #address()}.
   *
   * @throws IllegalArgumentException if the text is not the address of a ref
   */
  @JsonCreator
  static <M> ActorRef<M> read(String address) {
    return UnresolvedRef.read(address);
  }

  /**
   * Sends a message to the actor's mailbox.
   *
   * <p>To a durable actor, the future succeeds when the message is durable; from then on it
   * survives any crash. To a volatile actor, it succeeds when the message is in the mailbox, on
   * this or another node. Messages of one sender to one receiver keep their order. A message may
   * have up to 16 MiB as JSON; over 32 KiB a message to a durable actor takes longer, because its
   * body is stored first. To a volatile actor of the same node a message is passed by reference: it
   * is neither written as JSON nor measured, so messages that could not be sent to another node
   * pass.
   *
   * <p>Inside a durable actor's turn the message is a part of the turn: it is sent by the commit or
   * not at all, and the future is complete at once. A ref of another Callboard of the same process
   * is no part of the turn: the message leaves at once for that one's cell. (A message to such a
   * ref by the actor's own {@code tell} or {@code forward} leaves after the commit, as effects do.)
   *
   * @return fails with {@link CallboardException}, code {@code MAILBOX_FULL}, {@code
   *     PAYLOAD_TOO_LARGE}, {@code BAD_MESSAGE} if it is null, cannot be written as JSON, lacks a
   *     required component or (durable only) could not be read back, {@code NO_SUCH_ACTOR}
   *     (volatile only) or {@code UNAVAILABLE}
   */
  Future<Void> tell(M message);

  /**
   * Sends a message with a priority, a deadline or an actor that gets the answer; otherwise as
   * {@link #tell(Object)}.
   *
   * <p>A message past its deadline, or over the limit of its lane, becomes a dead letter.
   */
  Future<Void> tell(M message, TellOptions options);

  /**
   * Sends a message and returns a future of the answer that its handler gives with {@code reply}.
   * The message leaves at once, also from inside a turn, and is no part of that turn. A volatile
   * actor of the same node does not handle a message that it has not begun when the timeout
   * expires.
   *
   * <p>The message is limited as by {@link #tell}. The answer of an actor of the same node, durable
   * or volatile, passes by reference and is not measured; from another node it has up to 16 MiB as
   * JSON.
   *
   * @param answer the type of the answer: a record or a sealed protocol of them
   * @param timeout positive, and {@link Time#LONGEST} at most; after it the outcome is unknown
   * @return fails at once with the cause, code {@code HANDLER_FAILED}, if the handler fails; with
   *     {@code TIMEOUT} if no answer came in time, with a note if the actor is on this node and was
   *     given up; with {@code PAYLOAD_TOO_LARGE} and its type and size if the answer exceeds its
   *     limit; with {@link IllegalArgumentException} if the timeout is not positive
   */
  <R> Future<R> ask(M message, Class<R> answer, Duration timeout);

  /**
   * Asks as {@link #ask(Object, Class, Duration)} does, as a part of {@code trace}. Without it an
   * ask belongs to the trace of the message whose handler asks, if that has one.
   */
  <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace);

  /**
   * Asks as {@link #ask(Object, Class, Duration)} does, with {@link CallboardOptions#askTimeout()}
   * as the timeout.
   */
  <R> Future<R> ask(M message, Class<R> answer);
}
