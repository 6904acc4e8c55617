package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.DeadLetter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.internal.context.Promises;
import io.callboard.internal.link.MessageKind;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.link.OutgoingMessage;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.Limits;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Encoder of messages, asks, watches and answers to other nodes, once, on the sender's thread.
 * {@link RemoteReceiver} decodes the incoming ones. Thread-safe.
 */
public final class RemoteMessaging {
  /** Name of the type of the ask that a watch of an actor of another node is. */
  static final String WATCH = "callboard..watch";

  private static final int FAILURE_CHARS = 4_096;
  private static final int TYPE_CHARS = 256;

  private final Promises promises;
  private final NodeRouter router;
  private final DeadLetters deadLetters;

  /**
   * @param deadLetters takes answers that cannot be sent
   */
  public RemoteMessaging(Promises promises, NodeRouter router, DeadLetters deadLetters) {
    this.promises = promises;
    this.router = router;
    this.deadLetters = deadLetters;
  }

  /**
   * Sends a message; succeeds when it is in the mailbox on the other node.
   *
   * @param ifDurable what to do instead if the actor turns out to be durable
   */
  Future<Void> tell(ActorPath to, String from, Object message, Supplier<Future<Void>> ifDurable) {
    Promise<Void> done = promises.here();
    send(MessageKind.TELL, to, from, 0, message, done, ifDurable);
    return done.future();
  }

  /** Sends an ask, whose answer arrives at {@link PendingAsks} under its number. */
  Future<Void> ask(
      ActorPath to, String from, long number, Object message, Supplier<Future<Void>> ifDurable) {
    Promise<Void> done = promises.here();
    send(MessageKind.ASK, to, from, number, message, done, ifDurable);
    return done.future();
  }

  /**
   * Sends a watch; succeeds when the actor is watched. The ask of that number is answered when the
   * actor ends.
   */
  Future<Void> watch(ActorPath actor, long number) {
    Promise<Void> done = promises.here();
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    Supplier<Future<Void>> ifDurable =
        () -> Future.failedFuture(new CallboardException(Code.BAD_MESSAGE, actor + " is durable"));
    router.send(
        new Outgoing(
            MessageKind.ASK,
            actor,
            "watch",
            number,
            new MessageType(WATCH, 1),
            body,
            done,
            ifDurable));
    return done.future();
  }

  /** Sends a message that is encoded already. */
  Future<Void> tell(
      ActorPath to, String from, MessageType type, byte[] body, Supplier<Future<Void>> ifDurable) {
    Promise<Void> done = promises.here();
    router.send(new Outgoing(MessageKind.TELL, to, from, 0, type, body, done, ifDurable));
    return done.future();
  }

  private void send(
      MessageKind kind,
      ActorPath to,
      String from,
      long number,
      Object message,
      Promise<Void> done,
      Supplier<Future<Void>> ifDurable) {
    MessageType type = MessageType.of(message.getClass());
    byte[] body;
    try {
      body = Json.readable("message", message);
    } catch (CodecException e) {
      done.fail(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
      return;
    }
    if (type.name().length() > TYPE_CHARS) {
      done.fail(new CallboardException(Code.BAD_MESSAGE, "too long a type name: " + type.name()));
      return;
    }
    if (body.length > Limits.MESSAGE_BYTES) {
      done.fail(
          CallboardException.tooLarge("the message to " + to, body.length, Limits.MESSAGE_BYTES));
      return;
    }
    router.send(new Outgoing(kind, to, from, number, type, body, done, ifDurable));
  }

  private static final class Outgoing extends OutgoingMessage {
    private final Promise<Void> done;
    private final Supplier<Future<Void>> ifDurable;

    Outgoing(
        MessageKind kind,
        ActorPath to,
        String from,
        long number,
        MessageType type,
        byte[] body,
        Promise<Void> done,
        Supplier<Future<Void>> ifDurable) {
      super(kind, to, from, number, type, body);
      this.done = done;
      this.ifDurable = ifDurable;
    }

    @Override
    protected void accepted() {
      done.complete();
    }

    @Override
    protected void refused(CallboardException cause) {
      done.fail(cause);
    }

    @Override
    protected void durable() {
      try {
        ifDurable.get().onComplete(done);
      } catch (CallboardException e) {
        done.fail(e);
      }
    }
  }

  private static String brief(MessageType type) {
    return type.name().substring(0, Math.min(type.name().length(), TYPE_CHARS));
  }

  /** Returns the reply to the ask of that number at another node. */
  public Reply replyTo(String boot, long number) {
    return new Reply() {
      @Override
      public String address() {
        return PendingAsks.address(boot, number);
      }

      @Override
      public void succeed(Object answer) {
        byte[] body;
        try {
          body = Json.bytes(answer);
        } catch (CodecException e) {
          fail(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
          return;
        }
        MessageType type = MessageType.of(answer.getClass());
        if (body.length > Limits.MESSAGE_BYTES) {
          String what = "the answer " + brief(type);
          fail(CallboardException.tooLarge(what, body.length, Limits.MESSAGE_BYTES));
        } else if (type.name().length() > TYPE_CHARS) {
          fail(new CallboardException(Code.BAD_MESSAGE, "too long a type name: " + type.name()));
        } else {
          send(MessageKind.ANSWER, type, body);
        }
      }

      @Override
      public void fail(Throwable cause) {
        Code code = cause instanceof CallboardException own ? own.code() : Code.HANDLER_FAILED;
        String text = Causes.message(cause, FAILURE_CHARS);
        MessageType type = new MessageType(code.name(), 1);
        send(MessageKind.FAILURE, type, text.getBytes(StandardCharsets.UTF_8));
      }

      private void send(MessageKind kind, MessageType type, byte[] body) {
        router.send(new Answer(kind, boot, number, type, body));
      }
    };
  }

  private final class Answer extends OutgoingMessage {
    private final String asker;
    private final MessageType type;

    Answer(MessageKind kind, String boot, long number, MessageType type, byte[] body) {
      super(kind, boot, number, type, body);
      this.asker = PendingAsks.address(boot, number);
      this.type = type;
    }

    @Override
    protected void accepted() {}

    @Override
    protected void refused(CallboardException cause) {
      deadLetters.add(new DeadLetter(asker, null, type, null, null, cause));
    }
  }
}
