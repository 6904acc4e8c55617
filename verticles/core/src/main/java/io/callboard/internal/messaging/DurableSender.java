package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.commit.Append;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Envelopes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages from outside of any turn to durable actors: directly where the receiver can bypass
 * its mailbox, else into the mailbox by a commit. Thread-safe.
 */
public final class DurableSender {
  private final NodeContext node;
  private final TellSequencer sequencer;
  private final BlobTransfers blobs;
  private final MailboxAppender appender;
  private final BypassTarget bypass;
  private final String edge;
  private final MessageId unnumbered;

  /** Number of the last message; used on the durable context only. */
  private long sent;

  public DurableSender(
      NodeContext node,
      TellSequencer sequencer,
      BlobTransfers blobs,
      MailboxAppender appender,
      BypassTarget bypass) {
    this.node = node;
    this.sequencer = sequencer;
    this.blobs = blobs;
    this.appender = appender;
    this.bypass = bypass;
    this.edge = "edge:" + node.label();
    this.unnumbered = new MessageId(edge, 0);
  }

  /** Returns the sender name of messages from outside of any durable turn. */
  String edge() {
    return edge;
  }

  Future<Void> send(ActorPath to, Object message) {
    return send(to, message, null, node.options().roomTimeout(), null);
  }

  Future<Void> send(ActorPath to, Object message, TellOptions options) {
    Handling handling = MessageHeaders.handling(options, node.clock().millis());
    String replyTo = MessageHeaders.replyAddress(options);
    return send(to, message, replyTo, handling, node.options().roomTimeout(), options.trace());
  }

  Future<Void> send(
      ActorPath to, Object message, @Nullable String replyTo, @Nullable TraceContext trace) {
    return send(to, message, replyTo, node.options().roomTimeout(), trace);
  }

  /**
   * @param patience how long to wait for room in the mailbox
   */
  Future<Void> send(
      ActorPath to,
      Object message,
      @Nullable String replyTo,
      Duration patience,
      @Nullable TraceContext trace) {
    return send(to, message, replyTo, Handling.PLAIN, patience, trace);
  }

  private Future<Void> send(
      ActorPath to,
      Object message,
      @Nullable String replyTo,
      Handling handling,
      Duration patience,
      @Nullable TraceContext trace) {
    Promise<Void> done = node.promises().here();
    long until = node.nanoTime() + patience.toNanos();
    Envelope encoded;
    try {
      encoded = Envelopes.of(unnumbered, to, message, replyTo).with(handling).with(trace);
    } catch (CallboardException e) {
      return Future.failedFuture(e);
    }
    node.onDurableContext(done, () -> pass(to, encoded, until, done));
    return done.future();
  }

  /**
   * Numbers the message and passes it on. The number is taken here, on the durable context: callers
   * on several threads reach it in another order than they encode their messages.
   */
  private void pass(ActorPath to, Envelope encoded, long until, Promise<Void> done) {
    Envelope envelope = encoded.withId(new MessageId(edge, ++sent));
    sequencer
        .pass(to, envelope)
        .map(stored -> submit(to, stored, until, done))
        .onFailure(done::tryFail);
  }

  private Future<Void> submit(ActorPath to, Envelope stored, long until, Promise<Void> done) {
    if (stored.blob() != null) {
      done.future().onFailure(cause -> blobs.forsake(to, stored, cause));
    }
    appender.send(new Append(to, stored, until, done), bypass);
    return done.future();
  }
}
