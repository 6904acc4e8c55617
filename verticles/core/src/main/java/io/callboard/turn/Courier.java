package io.callboard.turn;

import io.callboard.ActorContext;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.store.CommitUnit;
import io.callboard.store.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a message's way: into the open turn, into a durable mailbox by a commit, into the mailbox
 * of a volatile actor here, or over a link to another node. Thread-safe.
 */
final class Courier {
  private final CallboardRuntime runtime;
  private final Elsewhere elsewhere;
  private final LocalActors actors;
  private final String edge;
  private final Appends appends;
  private final AtomicLong edgeSent = new AtomicLong();

  /**
   * @param edge the sender's name of what is told outside of any durable turn
   */
  Courier(CallboardRuntime runtime, Elsewhere elsewhere, LocalActors actors, String edge) {
    this.runtime = runtime;
    this.elsewhere = elsewhere;
    this.actors = actors;
    this.edge = edge;
    this.appends = new Appends(runtime);
  }

  /** On the durable context: what waits for room is told that the node stops. */
  void close() {
    appends.close();
  }

  Future<Void> tell(Ref<?> to, Object message) {
    Scope scope = currentScope();
    if (scope != null && scope.turn() != null) {
      scope.tell(to, message);
      return Future.succeededFuture();
    }
    try {
      requireMessage(to.path(), message);
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
    String from = scope == null ? edge : scope.self().path().toString();
    return tellFrom(from, to, message);
  }

  /**
   * @throws CallboardException {@code BAD_MESSAGE} if there is none
   */
  static void requireMessage(ActorPath to, @Nullable Object message) {
    if (message == null) {
      throw new CallboardException(
          Code.BAD_MESSAGE,
          "the message to %s is null: tell an object of its protocol".formatted(to));
    }
  }

  private static @Nullable Scope currentScope() {
    Context context = Vertx.currentContext();
    ActorContext found = context == null ? null : context.get(ActorContext.KEY);
    return found instanceof Scope scope ? scope : null;
  }

  private MessageId edgeId() {
    return new MessageId(edge, edgeSent.incrementAndGet());
  }

  Future<Void> tellFrom(String from, ActorRef<?> to, Object message) {
    if (to.durable()) {
      return append(to.path(), message);
    }
    VolatileRunner local = actors.find(to.path());
    if (local != null) {
      return local.offer(new Delivery(message, from, Reply.NONE));
    }
    return elsewhere.tell(to.path(), from, message, () -> append(to.path(), message));
  }

  /** Puts a message from outside of any turn into a durable mailbox. */
  Future<Void> append(ActorPath to, Object message) {
    return append(to, message, null, runtime.roomTimeout());
  }

  /**
   * The same.
   *
   * @param patience how long it waits for room
   */
  Future<Void> append(ActorPath to, Object message, @Nullable String replyTo, Duration patience) {
    Promise<Void> done = runtime.promises().here();
    long until = runtime.nanoTime() + patience.toNanos();
    Envelope envelope;
    try {
      envelope = envelope(edgeId(), to, message, replyTo);
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
    runtime.onDurableContext(
        () ->
            runtime
                .tellLanes()
                .pass(to, envelope)
                .onFailure(done::fail)
                .onSuccess(stored -> submit(to, stored, until, done)));
    return done.future();
  }

  private void submit(ActorPath to, Envelope stored, long until, Promise<Void> done) {
    CommitUnit unit = new CommitUnit(Optional.empty(), Map.of(to, List.of(stored)));
    if (stored.blob() != null) {
      done.future().onFailure(cause -> runtime.largeBodies().forsake(to, stored, cause));
    }
    appends.add(new Appends.Append(to, unit, until, done));
  }

  /**
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  static Envelope envelope(MessageId id, ActorPath to, Object message, @Nullable String replyTo) {
    Envelope envelope;
    try {
      envelope = Envelope.of(id, message, replyTo);
    } catch (CodecException e) {
      throw new CallboardException(Code.BAD_MESSAGE, e.getMessage(), e);
    }
    int bytes = envelope.body().length;
    if (bytes > Limits.MESSAGE_BYTES) {
      throw CallboardException.tooLarge("the message to " + to, bytes, Limits.MESSAGE_BYTES);
    }
    return envelope;
  }

  <R> Future<R> ask(Ref<?> to, Object message, Class<R> answer, Duration timeout) {
    try {
      requireMessage(to.path(), message);
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
    VolatileRunner local = actors.find(to.path());
    Asks.Open<R> ask = runtime.asks().open(to.path(), answer, timeout);
    Future<Void> sent;
    if (to.durable()) {
      sent = append(to.path(), message, ask.replyTo(), timeout);
    } else if (local != null) {
      sent = local.offer(new Delivery(message, edge, ask.reply()));
    } else {
      sent =
          elsewhere.ask(
              to.path(),
              edge,
              ask.number(),
              message,
              () -> append(to.path(), message, ask.replyTo(), timeout));
    }
    sent.onFailure(ask.reply()::fail);
    return ask.answer();
  }
}
