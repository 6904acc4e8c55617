package io.callboard.testkit.internal.world;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;

/** Ref of an actor of the world, for use on one node. */
record WorldRef<M>(WorldNode node, String text, boolean durable) implements ActorRef<M> {
  @Override
  public ActorPath path() {
    return ActorPath.of(text);
  }

  @Override
  public Future<Void> tell(M message) {
    if (durable) {
      return node.cell().network().store(node, "", text, message, null);
    }
    node.cell().network().send(node, text, message, null);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> tell(M message, TellOptions options) {
    return tell(message);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    WorldAnswer waits = new WorldAnswer(node, answer, timeout);
    if (durable) {
      var unused =
          node.cell().network().store(node, "", text, message, waits).onFailure(waits::fail);
    } else {
      node.cell().network().send(node, text, message, waits);
    }
    return waits.future().map(answer::cast);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace) {
    return ask(message, answer, timeout);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return ask(message, answer, Duration.ofSeconds(1));
  }
}
