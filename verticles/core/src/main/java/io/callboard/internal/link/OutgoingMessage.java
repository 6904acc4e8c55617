package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;

/**
 * Encoded message on its way to another node, and the listener for its outcome. Immutable; exactly
 * one of the outcome methods is called, once, on the context of the caller that made it, or else on
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
   * Makes a message for an actor: {@link MessageKind#TELL} or {@link MessageKind#ASK}.
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
   * Makes a push of new mail to its owner: {@link MessageKind#PUSH}.
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
   * Makes a message for an ask: {@link MessageKind#ANSWER} or {@link MessageKind#FAILURE}.
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

  /** Called when the message is in the mailbox on the other node. */
  protected abstract void accepted();

  /**
   * Called when the message is not in the mailbox or, with code {@code UNAVAILABLE}, may not be:
   * the node was lost before it acknowledged.
   */
  protected abstract void refused(CallboardException cause);

  /** Called when the actor is durable, and so not reached through links; nothing was sent. */
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

  /** Returns the string of the path: always the same object. */
  final String toText() {
    return to().toString();
  }

  /** Returns the boot id of the node it goes to; empty if the actor must be located. */
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

  /** Returns its maximum size in a frame, in bytes. */
  final int bytes() {
    int texts = from.length() + type.name().length() * 3;
    return OVERHEAD + body.length + texts + (to == null ? 0 : to.toString().length());
  }
}
