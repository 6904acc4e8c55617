package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Actor ref bound to a node: a path, whether the actor is durable, and the {@link MessageSender} it
 * sends through.
 */
public final class ActorRefImpl<M> implements ActorRef<M> {
  private final MessageSender sender;
  private final ActorPath path;
  private final boolean durable;
  private final Class<M> protocol;

  /** The local actor found by the last tell; a race costs one lookup. */
  private @Nullable LocalActor lastHere;

  public ActorRefImpl(MessageSender sender, ActorPath path, boolean durable, Class<M> protocol) {
    this.sender = sender;
    this.path = path;
    this.durable = durable;
    this.protocol = protocol;
  }

  /** Returns the ref as one of that node; a ref decoded from a message has no node yet. */
  public static ActorRefImpl<?> of(MessageSender sender, ActorRef<?> any) {
    return any instanceof ActorRefImpl<?> ref
        ? ref
        : new ActorRefImpl<>(sender, any.path(), any.durable(), Object.class);
  }

  /**
   * Returns whether {@code any} sends through another node, and so means an actor of that node's
   * cell.
   */
  public static boolean isForeign(MessageSender sender, ActorRef<?> any) {
    return any instanceof ActorRefImpl<?> ref && ref.sender != sender;
  }

  /**
   * Returns the refusal of a foreign ref where it would be taken for the actor of its path in this
   * cell.
   */
  public static CallboardException foreign(ActorRef<?> any, String what) {
    return new CallboardException(
        CallboardException.Code.BAD_MESSAGE,
        "%s is an actor of another Callboard: %s".formatted(any.path(), what));
  }

  /** Returns the sender of the node that the ref is bound to. */
  public MessageSender sender() {
    return sender;
  }

  /**
   * Watches the actor, which is a volatile one.
   *
   * @param ended called once, on any thread
   * @return ends the watch
   */
  public Runnable watch(Consumer<Termination> ended) {
    return sender.deathWatch().watch(this, ended);
  }

  @Override
  public ActorPath path() {
    return path;
  }

  @Override
  public boolean durable() {
    return durable;
  }

  public Class<M> protocol() {
    return protocol;
  }

  /** Returns the volatile actor, if it is on this node; else null. */
  public @Nullable LocalActor here() {
    LocalActor last = lastHere;
    if (last == null || last.isStopped()) {
      last = sender.find(path);
      lastHere = last;
    }
    return last;
  }

  @Override
  public Future<Void> tell(M message) {
    return sender.tell(this, message, TellOptions.NONE);
  }

  @Override
  public Future<Void> tell(M message, TellOptions options) {
    return sender.tell(this, message, options);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    return sender.ask(this, message, answer, timeout, null);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace) {
    return sender.ask(this, message, answer, timeout, trace);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return ask(message, answer, sender.askTimeout());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActorRef<?> ref && ref.path().equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
