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
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.supervision.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages, each on the way its receiver needs: with the open turn, into a durable mailbox by
 * a commit, into the mailbox of a volatile actor here, or over a link to another node. Thread-safe.
 */
public final class MessageSender {
  private final NodeContext node;
  private final LocalActor.Finder actors;
  private final RemoteMessaging remoteMessaging;
  private final PendingAsks asks;
  private final DeathWatch deathWatch;
  private final DeadLetters deadLetters;
  private final DurableSender durable;
  private final String edge;

  public MessageSender(
      NodeContext node,
      LocalActor.Finder actors,
      RemoteMessaging remoteMessaging,
      PendingAsks asks,
      DeathWatch deathWatch,
      DeadLetters deadLetters,
      DurableSender durable) {
    this.node = node;
    this.actors = actors;
    this.remoteMessaging = remoteMessaging;
    this.asks = asks;
    this.deathWatch = deathWatch;
    this.deadLetters = deadLetters;
    this.durable = durable;
    this.edge = durable.edge();
  }

  @Nullable LocalActor find(ActorPath path) {
    return actors.find(path);
  }

  DeathWatch deathWatch() {
    return deathWatch;
  }

  /** Returns the timeout of an ask that gives none. */
  Duration askTimeout() {
    return node.options().askTimeout();
  }

  Future<Void> tell(ActorRefImpl<?> to, Object message, TellOptions options) {
    if (options == null) {
      return Future.failedFuture(
          new NullPointerException(
              "options is null: give TellOptions.NONE if nothing goes along with the message to "
                  + to));
    }
    SendingActor actor = currentActor();
    SendingActor ours = actor != null && actor.sender() == this ? actor : null;
    try {
      if (ours != null && ours.sendsWithTurn()) {
        ours.tell(to, message, options);
        return Future.succeededFuture();
      }
      requireMessage(to.path(), message);
      String from = ours == null ? edge : ours.self().path().toString();
      SendingActor handling = actor == null ? deployedActor() : actor;
      Future<Void> sent =
          send(from, to, message, handling == null ? options : handling.traced(options));
      if (sent.failed() && isMistake(sent.cause()) && local(to) != null) {
        ActorPath sender = handling == null ? null : handling.self().path();
        deadLetters.add(to.path(), sender, message, sent.cause()); // few look at their futures
      }
      return sent;
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
  }

  private static boolean isMistake(Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE;
  }

  /**
   * Offers a message to an actor of this node, unless it is not of its protocol.
   *
   * @param item the message, with what goes along with it
   */
  private static Future<Void> offer(LocalActor to, Object message, Object item, Priority priority) {
    CallboardException refusal = to.refusal(message);
    return refusal == null ? to.offer(item, priority) : Future.failedFuture(refusal);
  }

  /**
   * Requires a message.
   *
   * @throws CallboardException {@code BAD_MESSAGE} if it is null
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

  private static @Nullable SendingActor currentActor() {
    Context context = Vertx.currentContext();
    ActorContext found = context == null ? null : context.get(ActorContext.KEY);
    return found instanceof SendingActor actor ? actor : null;
  }

  /** Returns the actor whose context this is; null if it is no actor's. */
  private static @Nullable SendingActor deployedActor() {
    ContextInternal here = ContextInternal.current();
    return here != null && here.deployment() instanceof SendingActor.Deployed actor
        ? actor.scope()
        : null;
  }

  /**
   * Sends outside of any turn.
   *
   * @throws CallboardException {@code BAD_MESSAGE} for options that the receiver cannot take
   */
  public Future<Void> send(String from, ActorRef<?> to, Object message, TellOptions options) {
    if (to instanceof ActorRefImpl<?> ref && ActorRefImpl.isForeign(this, to)) {
      return ref.sender().tell(ref, message, options);
    }
    LocalActor local = local(to);
    if (options != TellOptions.NONE) {
      return sendWith(from, to, local, message, options);
    } else if (local != null) {
      return offer(local, message, message, Priority.NORMAL);
    } else if (to.durable()) {
      return durable.send(to.path(), message);
    }
    return remoteMessaging.tell(to.path(), from, message, () -> durable.send(to.path(), message));
  }

  private Future<Void> sendWith(
      String from,
      ActorRef<?> to,
      @Nullable LocalActor local,
      Object message,
      TellOptions options) {
    ActorRef<?> asker = options.replyTo();
    ActorReply reply =
        asker == null ? null : new ActorReply(ActorRefImpl.of(this, asker), asker.address());
    if (local == null) {
      requireReplyHere(options);
    }
    if (local != null) {
      long deadline = MessageHeaders.deadlineNanos(options.within(), node.nanoTime());
      Reply back = reply == null ? Reply.NONE : reply;
      return offer(
          local,
          message,
          new Delivery(message, back, deadline, null, options.trace()),
          options.priority());
    } else if (to.durable()) {
      return durable.send(to.path(), message, options);
    }
    String address = reply == null ? null : reply.address();
    String headers =
        new MessageHeaders(from, address, options.priority(), options.within(), options.trace())
            .text();
    return remoteMessaging.tell(
        to.path(), headers, message, () -> durable.send(to.path(), message, options));
  }

  /**
   * Requires a reply address in this cell: an address has a path and no cell.
   *
   * @throws CallboardException {@code BAD_MESSAGE} if the answer could not find its actor
   */
  public void requireReplyHere(TellOptions options) {
    ActorRef<?> replyTo = options.replyTo();
    if (replyTo != null && ActorRefImpl.isForeign(this, replyTo)) {
      throw ActorRefImpl.foreign(replyTo, "ask, and tell it the answer");
    }
  }

  /** Returns the actor at {@code address}; null if the address is not an actor's. */
  public @Nullable ActorRef<?> actor(String address) {
    try {
      return ActorRefImpl.of(this, ActorRef.read(address));
    } catch (IllegalArgumentException e) {
      return null; // an ask, or what came from elsewhere is no path
    }
  }

  /** Forwards a message: its ask is answered by {@code to}. */
  public Future<Void> pass(
      String from, ActorRef<?> to, Object message, Reply back, @Nullable TraceContext trace) {
    if (to instanceof ActorRefImpl<?> ref && ActorRefImpl.isForeign(this, to)) {
      MessageSender other = ref.sender();
      return other.pass(other.edge, to, message, other.bridge(to.path(), back), trace);
    }
    LocalActor local = local(to);
    Future<Void> sent;
    if (local != null) {
      Object item =
          back == Reply.NONE && trace == null ? message : new Delivery(message, back, trace);
      sent = offer(local, message, item, Priority.NORMAL);
    } else {
      String address = address(to.path(), back);
      sent =
          to.durable()
              ? durable.send(to.path(), message, address, trace)
              : remoteMessaging.tell(
                  to.path(),
                  new MessageHeaders(from, address, Priority.NORMAL, null, trace).text(),
                  message,
                  () -> durable.send(to.path(), message, address, trace));
    }
    if (local == null) {
      sent.onSuccess(v -> back.released());
    }
    return sent.onFailure(back::fail);
  }

  /** Attempts once to deliver a message of a durable actor to a volatile one. */
  public Future<Void> deliver(ActorPath to, Envelope message) {
    LocalActor local = actors.find(to);
    if (local != null) {
      return deliver(local, message);
    }
    MessageHeaders headers =
        new MessageHeaders(
            message.id().sender(), message.replyTo(), Priority.NORMAL, null, message.trace());
    return remoteMessaging.tell(
        to, headers.text(), message.type(), message.body(), () -> Future.failedFuture(durable(to)));
  }

  private Future<Void> deliver(LocalActor to, Envelope message) {
    ProtocolCodec<Object> codec = to.codec();
    if (codec == null) {
      return Future.failedFuture(
          new CallboardException(Code.STOPPED, to.path() + " is being started"));
    }
    try {
      Object decoded = codec.decode(message);
      Reply reply = asks.replyTo(message.replyTo());
      return to.offer(
          new Delivery(
              decoded, reply, Delivery.NEVER, null, message.trace(), message.id().sender()),
          Priority.NORMAL);
    } catch (CodecException e) {
      return Future.failedFuture(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
    }
  }

  private static CallboardException durable(ActorPath to) {
    return new CallboardException(
        Code.BAD_MESSAGE, to + " is a durable actor: tell it the message instead of delivering it");
  }

  /** Offers a held message to a volatile actor of this node for one attempt. */
  public <A extends Reply & Delivery.Ticket> void hand(
      ActorRef<?> to, Object message, A attempt, @Nullable TraceContext trace) {
    LocalActor local = local(to);
    if (local == null) {
      attempt.fail(CallboardException.noSuchActor(to.path()));
      return;
    }
    Delivery delivery = new Delivery(message, attempt, Delivery.NEVER, attempt, trace);
    offer(local, message, delivery, Priority.NORMAL).onFailure(attempt::fail);
  }

  /**
   * Address of {@code back}; a reply without an address gets that of a new ask whose answer it
   * takes.
   */
  private @Nullable String address(ActorPath to, Reply back) {
    String address = back.address();
    if (address != null || !back.isAwaited()) {
      return address;
    }
    PendingAsks.Ask<Object> ask = asks.openAny(to, askTimeout());
    ask.answer().onSuccess(back::succeed).onFailure(back::fail);
    return ask.address();
  }

  /** Returns the reply of this cell in place of {@code back}, which belongs to another cell. */
  private Reply bridge(ActorPath to, Reply back) {
    if (!back.isAwaited()) {
      return back;
    }
    PendingAsks.Ask<Object> ask = asks.openAny(to, askTimeout());
    ask.answer()
        .onSuccess(
            answer -> {
              back.succeed(answer);
              back.released();
            })
        .onFailure(back::fail);
    return ask;
  }

  /** Returns the receiver as a volatile actor of this node; null if it is not one. */
  private @Nullable LocalActor local(ActorRef<?> to) {
    if (to.durable()) {
      return null;
    }
    return to instanceof ActorRefImpl<?> ref ? ref.here() : actors.find(to.path());
  }

  <R> Future<R> ask(
      ActorRefImpl<?> to,
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
    PendingAsks.Ask<R> ask = asks.open(to.path(), answer, timeout);
    if (ask.isOver()) {
      return ask.answer();
    }
    SendingActor asking = deployedActor();
    if (asking != null && asking.sender() == this) {
      asking.asks(ask);
    }
    TraceContext trace = given == null && asking != null ? asking.traceOfTurn() : given;
    LocalActor local = local(to);
    Future<Void> sent;
    if (local != null) {
      sent = offer(local, message, new Delivery(message, ask, trace), Priority.NORMAL);
    } else if (to.durable()) {
      sent = durable.send(to.path(), message, ask.address(), ask.timeout(), trace);
    } else {
      sent =
          remoteMessaging.ask(
              to.path(),
              MessageHeaders.text(edge, trace),
              ask.number(),
              message,
              () -> durable.send(to.path(), message, ask.address(), ask.timeout(), trace));
    }
    if (!sent.succeeded()) {
      sent.onFailure(ask::fail);
    }
    return ask.answer();
  }
}
