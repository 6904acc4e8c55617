package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to another node, encoded, and whom to tell what became of it. Immutable; of
 * its outcomes exactly one is called, once, on the context of the caller that made it, or else on
 * one of the router's.
 */
public abstract class OutgoingMessage {
  private static final int OVERHEAD = 32;

  private final MessageKind kind;
  private final @Nullable ActorPath to;
  private final String boot;
  private final String from;
  private final long number;
  private final MessageType type;
  private final byte[] body;
  private final @Nullable ContextInternal caller = ContextInternal.current();

  /**
   * For an actor: {@link MessageKind#TELL} or {@link MessageKind#ASK}.
   *
   * @param from the sender, for the log of the other node
   * @param number of the ask; 0 for a tell
   * @param body UTF-8 JSON; at most {@link io.callboard.store.Limits#MESSAGE_BYTES}
   */
  protected OutgoingMessage(
      MessageKind kind, ActorPath to, String from, long number, MessageType type, byte[] body) {
    this.kind = kind;
    this.to = to;
    this.boot = "";
    this.from = from;
    this.number = number;
    this.type = type;
    this.body = body;
  }

  /**
   * New mail, for its owner: {@link MessageKind#PUSH}.
   *
   * @param boot the owning node
   */
  OutgoingMessage(String boot, ActorPath to, long number, MessageType type, byte[] body) {
    this.kind = MessageKind.PUSH;
    this.to = to;
    this.boot = boot;
    this.from = "";
    this.number = number;
    this.type = type;
    this.body = body;
  }

  /**
   * For an ask: {@link MessageKind#ANSWER} or {@link MessageKind#FAILURE}.
   *
   * @param boot the asking node
   */
  protected OutgoingMessage(
      MessageKind kind, String boot, long number, MessageType type, byte[] body) {
    this.kind = kind;
    this.to = null;
    this.boot = boot;
    this.from = "";
    this.number = number;
    this.type = type;
    this.body = body;
  }

  /** It is in the mailbox there. */
  protected abstract void accepted();

  /**
   * It is not, or, with code {@code UNAVAILABLE}, may not be: the node was lost before it
   * acknowledged.
   */
  protected abstract void refused(CallboardException cause);

  /** The actor is durable, so it is not reached through links; nothing was sent. */
  protected void durable() {
    refused(
        new CallboardException(
            CallboardException.Code.NO_SUCH_ACTOR, "the actor " + to + " is durable"));
  }

  final MessageKind kind() {
    return kind;
  }

  final ActorPath to() {
    if (to == null) {
      throw new IllegalStateException(kind + " is not for an actor");
    }
    return to;
  }

  /** The path's own string: always the same object. */
  final String toText() {
    return to().toString();
  }

  /** The node it goes to; empty if that is where the actor is found. */
  final String boot() {
    return boot;
  }

  final String from() {
    return from;
  }

  final long number() {
    return number;
  }

  final MessageType type() {
    return type;
  }

  final byte[] body() {
    return body;
  }

  final @Nullable ContextInternal caller() {
    return caller;
  }

  /** What it takes in a frame at most. */
  final int bytes() {
    int texts = from.length() + type.name().length() * 3;
    return OVERHEAD + body.length + texts + (to == null ? 0 : to.toString().length());
  }
}
