package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.time.Duration;

/** The one kind of ref: a path, whether its mail is durable, and the node it speaks through. */
record Ref<M>(CallboardRuntime runtime, ActorPath path, boolean durable, Class<M> protocol)
    implements ActorRef<M> {

  @Override
  public Future<Void> tell(M message) {
    return runtime.courier().tell(this, message);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    return runtime.courier().ask(this, message, answer, timeout);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return ask(message, answer, runtime.askTimeout());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ref<?> ref && ref.path.equals(path);
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
