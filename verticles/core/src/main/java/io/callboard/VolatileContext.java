package io.callboard;

import io.vertx.core.Future;
import java.util.Collection;

/**
 * Services of the toolkit for one started volatile actor: in addition to those of every actor, what
 * a proxy needs that passes messages on and reports their outcome. Actors use them through {@code
 * io.callboard.proxy.ProxyActor}, which documents them. Confined to the actor's context.
 */
public interface VolatileContext extends ActorContext {
  /** Forwards a message; {@code over} is called once, when the receiver has finished with it. */
  void forward(ActorRef<?> receiver, Object message, Runnable over);

  /** Forwards a message to several actors. */
  void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message);

  /** Answers the message being handled when the future completes. */
  void replyWhen(Future<?> answer);

  /** Holds the message being handled beyond its handler. */
  <M> HeldMessage<M> hold(M message);
}
