package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * A ref that was read from a message, a state or an event. It sends through the node on whose
 * Vert.x contexts it is used: in actors, and in other code on a context of that Vert.x.
 */
record UnresolvedRef<M>(ActorPath path, boolean durable) implements ActorRef<M> {
  private static final String DURABLE = "durable:";
  private static final String VOLATILE = "volatile:";

  static String text(ActorRef<?> actor) {
    return (actor.durable() ? DURABLE : VOLATILE) + actor.path();
  }

  /**
   * Returns the ref that a text stands for.
   *
   * @throws IllegalArgumentException if {@code text} is not the address of a ref
   */
  static <M> ActorRef<M> read(String text) {
    boolean durable = text.startsWith(DURABLE);
    if (!durable && !text.startsWith(VOLATILE)) {
      throw new IllegalArgumentException(
          "\"%s\" is not a ref: a ref is %s or %s and the path of an actor"
              .formatted(text, DURABLE, VOLATILE));
    }
    String path = text.substring((durable ? DURABLE : VOLATILE).length());
    return new UnresolvedRef<>(ActorPath.of(path), durable);
  }

  @SuppressWarnings("unchecked")
  private Future<ActorRef<M>> here() {
    Context context = Vertx.currentContext();
    Optional<Callboard> node = context == null ? Optional.empty() : Callboard.find(context.owner());
    Optional<ActorRef<M>> ref =
        node.map(
            callboard ->
                (ActorRef<M>)
                    (durable
                        ? callboard.durableRef(path.toString(), Object.class)
                        : callboard.ref(path.toString(), Object.class)));
    return ref.map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    new IllegalStateException(
                        "the ref to %s came with a message and is used outside of a node: use it in an actor, or get one from callboard.ref"
                            .formatted(path))));
  }

  @Override
  public Future<Void> tell(M message) {
    return here().compose(ref -> ref.tell(message));
  }

  @Override
  public Future<Void> tell(M message, TellOptions options) {
    return here().compose(ref -> ref.tell(message, options));
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    return here().compose(ref -> ref.ask(message, answer, timeout));
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace) {
    return here().compose(ref -> ref.ask(message, answer, timeout, trace));
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return here().compose(ref -> ref.ask(message, answer));
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
