package io.callboard.testkit;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/** What it is told is an effect of the tested actor. */
record TestedRef<M>(ActorPath path, boolean durable, Supplier<TestedContext> speaker)
    implements ActorRef<M> {
  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(30);

  @Override
  public Future<Void> tell(M message) {
    return tell(message, TellOptions.NONE);
  }

  @Override
  public Future<Void> tell(M message, TellOptions options) {
    speaker.get().tell(this, message, options);
    return Future.succeededFuture();
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "the timeout of an ask of %s is %s: give a positive time".formatted(path, timeout)));
    }
    return speaker.get().ask(this, message, answer);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace) {
    return ask(message, answer, timeout);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return ask(message, answer, ASK_TIMEOUT);
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
