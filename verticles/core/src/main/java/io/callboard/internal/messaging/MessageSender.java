package io.callboard.internal.messaging;

import io.callboard.ActorContext;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Priority;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.commit.Append;
import io.callboard.internal.inmemory.DeliveryAttempt;
import io.callboard.internal.inmemory.VolatileRunner;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.lifecycle.BaseActorContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.node.LocalActors;
import io.callboard.internal.node.NodeAssembly;
import io.callboard.store.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a message's way: into the open turn, into a durable mailbox by a commit, into the mailbox
 * of a volatile actor here, or over a link to another node. Thread-safe.
 */
public final class MessageSender {
  private final NodeAssembly runtime;
  private final RemoteMessaging remoteMessaging;
  private final LocalActors actors;
  private final String edge;
  private final MailboxAppender mailboxAppender;
  private final AtomicLong edgeSent = new AtomicLong();

  /**
   * @param edge the sender's name of what is told outside of any durable turn
   */
  public MessageSender(
      NodeAssembly runtime, RemoteMessaging remoteMessaging, LocalActors actors, String edge) {
    this.runtime = runtime;
    this.remoteMessaging = remoteMessaging;
    this.actors = actors;
    this.edge = edge;
    this.mailboxAppender = new MailboxAppender(runtime);
  }

  /** What code outside of any turn puts into durable mailboxes; on the durable context. */
  public MailboxAppender appends() {
    return mailboxAppender;
  }

  /** On the durable context: what waits for room is told that the node stops. */
  public void close() {
    mailboxAppender.close();
  }

  Future<Void> tell(NodeRef<?> to, Object message, TellOptions options) {
    if (options == null) {
      return Future.failedFuture(
          new NullPointerException(
              "options is null: give TellOptions.NONE if nothing goes along with the message to "
                  + to));
    }
    BaseActorContext scope = currentScope();
    try {
      if (scope != null
          && scope.runtime == runtime
          && scope.turn() != null
          && scope.guard().isInTurn()) {
        scope.tell(to, message, options);
        return Future.succeededFuture();
      }
      requireMessage(to.path(), message);
      String from =
          scope != null && scope.runtime == runtime ? scope.self().path().toString() : edge;
      BaseActorContext handling = scope == null ? askingScope() : scope;
      return send(from, to, message, handling == null ? options : handling.traced(options));
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * @throws CallboardException {@code BAD_MESSAGE} if there is none
   */
  public static void requireMessage(ActorPath to, @Nullable Object message) {
    if (message == null) {
      throw new CallboardException(
          Code.BAD_MESSAGE,
          "the message to %s is null: tell an object of its protocol".formatted(to));
    }
  }

  private static void requireAsk(
      ActorPath to, @Nullable Class<?> answer, @Nullable Duration timeout) {
    if (answer == null || timeout == null) {
      throw new NullPointerException(
          answer == null
              ? "the type of the answer of %s is null: give its class".formatted(to)
              : "the timeout of an ask of %s is null: give a positive time".formatted(to));
    } else if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout of an ask of %s is %s: give a positive time".formatted(to, timeout));
    }
  }

  private static @Nullable BaseActorContext currentScope() {
    Context context = Vertx.currentContext();
    ActorContext found = context == null ? null : context.get(ActorContext.KEY);
    return found instanceof BaseActorContext scope ? scope : null;
  }

  /** Of the actor on whose context this is; null if it is nobody's. */
  private static @Nullable BaseActorContext askingScope() {
    ContextInternal here = ContextInternal.current();
    return here != null && here.deployment() instanceof ActorInstance life ? life.scope() : null;
  }

  private MessageId edgeId() {
    return new MessageId(edge, edgeSent.incrementAndGet());
  }

  /**
   * Sends outside of any turn.
   *
   * @throws CallboardException {@code BAD_MESSAGE} for options that the receiver cannot take
   */
  public Future<Void> send(String from, ActorRef<?> to, Object message, TellOptions options) {
    if (to instanceof NodeRef<?> ref && NodeRef.isForeign(runtime, to)) {
      return ref.runtime().courier().tell(ref, message, options);
    }
    VolatileRunner local = local(to);
    if (options != TellOptions.NONE) {
      return sendWith(from, to, local, message, options);
    } else if (local != null) {
      return local.offer(message, Priority.NORMAL);
    } else if (to.durable()) {
      return append(to.path(), message);
    }
    return remoteMessaging.tell(to.path(), from, message, () -> append(to.path(), message));
  }

  private Future<Void> sendWith(
      String from,
      ActorRef<?> to,
      @Nullable VolatileRunner local,
      Object message,
      TellOptions options) {
    ActorReply reply = options.replyTo() == null ? null : ActorReply.to(runtime, options.replyTo());
    if (local == null) {
      requireReplyHere(options);
    }
    if (local != null) {
      long deadline = MessageHeaders.deadlineNanos(options.within(), runtime.context().nanoTime());
      Reply back = reply == null ? Reply.NONE : reply;
      return local.offer(
          new Delivery(message, back, deadline, null, options.trace()), options.priority());
    } else if (to.durable()) {
      return append(to.path(), message, options);
    }
    String address = reply == null ? null : reply.address();
    String slip =
        new MessageHeaders(from, address, options.priority(), options.within(), options.trace())
            .text();
    return remoteMessaging.tell(
        to.path(), slip, message, () -> append(to.path(), message, options));
  }

  /**
   * An address says a path and no cell.
   *
   * @throws CallboardException {@code BAD_MESSAGE} if the answer could not find its actor
   */
  public void requireReplyHere(TellOptions options) {
    ActorRef<?> replyTo = options.replyTo();
    if (replyTo != null && NodeRef.isForeign(runtime, replyTo)) {
      throw NodeRef.foreign(replyTo, "ask, and tell it the answer");
    }
  }

  /** Where the answer of a durable actor goes. */
  public static @Nullable String replyAddress(TellOptions options) {
    return options.replyTo() == null ? null : options.replyTo().address();
  }

  /** How a durable actor is to handle it. */
  public static Handling handling(TellOptions options, long nowMs) {
    Duration within = options.within();
    if (within == null && options.priority() == Priority.NORMAL) {
      return Handling.PLAIN;
    }
    int lane = Priority.NORMAL.ordinal() - options.priority().ordinal();
    return new Handling(lane, within == null ? 0 : MessageHeaders.deadlineMs(within, nowMs), 0);
  }

  /** Passes a message on: whoever waits for the answer gets it from {@code to}. */
  public Future<Void> pass(
      String from, ActorRef<?> to, Object message, Reply back, @Nullable TraceContext trace) {
    if (to instanceof NodeRef<?> ref && NodeRef.isForeign(runtime, to)) {
      MessageSender other = ref.runtime().courier();
      return other.pass(other.edge, to, message, other.bridge(to.path(), back), trace);
    }
    VolatileRunner local = local(to);
    Future<Void> sent;
    if (local != null) {
      Object item =
          back == Reply.NONE && trace == null ? message : new Delivery(message, back, trace);
      sent = local.offer(item, Priority.NORMAL);
    } else {
      String address = address(to.path(), back);
      sent =
          to.durable()
              ? append(to.path(), message, address, runtime.roomTimeout(), trace)
              : remoteMessaging.tell(
                  to.path(),
                  new MessageHeaders(from, address, Priority.NORMAL, null, trace).text(),
                  message,
                  () -> append(to.path(), message, address, runtime.roomTimeout(), trace));
    }
    if (local == null) {
      sent.onSuccess(v -> back.released());
    }
    return sent.onFailure(back::fail);
  }

  /** One attempt of a durable actor to deliver to a volatile one. */
  public Future<Void> deliver(ActorPath from, ActorPath to, Envelope message) {
    VolatileRunner local = actors.find(to);
    if (local != null) {
      return deliver(local, message);
    }
    MessageHeaders headers =
        new MessageHeaders(
            from.toString(), message.replyTo(), Priority.NORMAL, null, message.trace());
    return remoteMessaging.tell(
        to, headers.text(), message.type(), message.body(), () -> Future.failedFuture(durable(to)));
  }

  private Future<Void> deliver(VolatileRunner to, Envelope message) {
    ProtocolCodec<Object> codec = to.codec();
    if (codec == null) {
      return Future.failedFuture(
          new CallboardException(Code.STOPPED, to.path() + " is being started"));
    }
    try {
      Object decoded = codec.decode(message);
      Reply reply = runtime.asks().replyTo(message.replyTo());
      return to.offer(new Delivery(decoded, reply, message.trace()), Priority.NORMAL);
    } catch (CodecException e) {
      return Future.failedFuture(
          new CallboardException(Code.BAD_MESSAGE, String.valueOf(e.getMessage()), e));
    }
  }

  private static CallboardException durable(ActorPath to) {
    return new CallboardException(
        Code.BAD_MESSAGE, to + " is a durable actor: tell it, nothing is delivered to it");
  }

  /** Lets a volatile actor of this node try a message that is kept. */
  public void hand(
      ActorRef<?> to, Object message, DeliveryAttempt attempt, @Nullable TraceContext trace) {
    VolatileRunner local = local(to);
    if (local == null) {
      attempt.fail(CallboardException.noSuchActor(to.path()));
      return;
    }
    Delivery delivery = new Delivery(message, attempt, Delivery.NEVER, attempt, trace);
    local.offer(delivery, Priority.NORMAL).onFailure(attempt::fail);
  }

  /** As {@code back} travels; one that cannot gets the answer of an ask that can. */
  private @Nullable String address(ActorPath to, Reply back) {
    String address = back.address();
    if (address != null || !back.isAwaited()) {
      return address;
    }
    PendingAsks.Ask<Object> ask = runtime.asks().openAny(to, runtime.askTimeout());
    ask.answer().onSuccess(back::succeed).onFailure(back::fail);
    return ask.address();
  }

  /** As {@code back} is known in this cell, which is not that of whoever waits. */
  private Reply bridge(ActorPath to, Reply back) {
    if (!back.isAwaited()) {
      return back;
    }
    PendingAsks.Ask<Object> ask = runtime.asks().openAny(to, runtime.askTimeout());
    ask.answer()
        .onSuccess(
            answer -> {
              back.succeed(answer);
              back.released();
            })
        .onFailure(back::fail);
    return ask;
  }

  /** The volatile actor, if it is here. */
  private @Nullable VolatileRunner local(ActorRef<?> to) {
    if (to.durable()) {
      return null;
    }
    return to instanceof NodeRef<?> ref ? ref.here() : actors.find(to.path());
  }

  /** Puts a message from outside of any turn into a durable mailbox. */
  Future<Void> append(ActorPath to, Object message) {
    return append(to, message, null, runtime.roomTimeout(), null);
  }

  private Future<Void> append(ActorPath to, Object message, TellOptions options) {
    Handling handling = handling(options, runtime.context().clock().millis());
    return append(
        to, message, replyAddress(options), handling, runtime.roomTimeout(), options.trace());
  }

  /**
   * The same.
   *
   * @param patience how long it waits for room
   */
  private Future<Void> append(
      ActorPath to,
      Object message,
      @Nullable String replyTo,
      Duration patience,
      @Nullable TraceContext trace) {
    return append(to, message, replyTo, Handling.PLAIN, patience, trace);
  }

  private Future<Void> append(
      ActorPath to,
      Object message,
      @Nullable String replyTo,
      Handling handling,
      Duration patience,
      @Nullable TraceContext trace) {
    Promise<Void> done = runtime.context().promises().here();
    long until = runtime.context().nanoTime() + patience.toNanos();
    Envelope envelope;
    try {
      envelope = Envelopes.of(edgeId(), to, message, replyTo).with(handling).with(trace);
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
    runtime
        .context()
        .onDurableContext(
            done,
            () ->
                runtime
                    .tellLanes()
                    .pass(to, envelope)
                    .map(stored -> submit(to, stored, until, done))
                    .onFailure(done::tryFail));
    return done.future();
  }

  private Future<Void> submit(ActorPath to, Envelope stored, long until, Promise<Void> done) {
    if (stored.blob() != null) {
      done.future().onFailure(cause -> runtime.largeBodies().forsake(to, stored, cause));
    }
    Append append = new Append(to, stored, until, done);
    if (!mailboxAppender.isIdle(to)
        || !runtime.durables().wake().handles(append, mailboxAppender.takesDirect())) {
      mailboxAppender.add(append);
    }
    return done.future();
  }

  <R> Future<R> ask(
      NodeRef<?> to,
      Object message,
      Class<R> answer,
      Duration timeout,
      @Nullable TraceContext given) {
    try {
      requireMessage(to.path(), message);
      requireAsk(to.path(), answer, timeout);
    } catch (CallboardException | NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    PendingAsks.Ask<R> ask = runtime.asks().open(to.path(), answer, timeout);
    if (ask.isOver()) {
      return ask.answer();
    }
    BaseActorContext asking = askingScope();
    if (asking != null && asking.runtime == runtime) {
      asking.asks(ask);
    }
    TraceContext trace = given == null && asking != null ? asking.traceOfTurn() : given;
    VolatileRunner local = local(to);
    Future<Void> sent;
    if (local != null) {
      sent = local.offer(new Delivery(message, ask, trace), Priority.NORMAL);
    } else if (to.durable()) {
      sent = append(to.path(), message, ask.address(), ask.timeout(), trace);
    } else {
      sent =
          remoteMessaging.ask(
              to.path(),
              MessageHeaders.text(edge, trace),
              ask.number(),
              message,
              () -> append(to.path(), message, ask.address(), ask.timeout(), trace));
    }
    if (!sent.succeeded()) {
      sent.onFailure(ask::fail);
    }
    return ask.answer();
  }
}
