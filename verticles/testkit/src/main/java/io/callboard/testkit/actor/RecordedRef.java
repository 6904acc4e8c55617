package io.callboard.testkit.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * Ref to another actor, for which the test stands: messages and asks are recorded.
 *
 * @param real the node's ref of the same actor
 */
record RecordedRef<M>(ActorRef<M> real, Recording recording) implements ActorRef<M> {
  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(30);

  /** Returns a view of the node's Callboard whose refs are recorded. */
  static Callboard callboard(Callboard real, Recording recording) {
    return (Callboard)
        Proxy.newProxyInstance(
            Callboard.class.getClassLoader(),
            new Class<?>[] {Callboard.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof ActorRef<?> ref ? recording.ref(ref) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns the node's ref of that actor. */
  static ActorRef<?> real(ActorRef<?> any) {
    return any instanceof RecordedRef<?> recorded ? recorded.real() : any;
  }

  @Override
  public ActorPath path() {
    return real.path();
  }

  @Override
  public boolean durable() {
    return real.durable();
  }

  @Override
  public Future<Void> tell(M message) {
    return tell(message, TellOptions.NONE);
  }

  @Override
  @SuppressWarnings("unchecked")
  public Future<Void> tell(M message, TellOptions options) {
    recording.checkSent(this, message);
    Future<Void> sent = ((ActorRef<M>) recording.receiver(this, message)).tell(message, options);
    recording.did(new Effect.Sent(path().toString(), message, options));
    return sent;
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "the timeout of an ask of %s is %s: give a positive time"
                  .formatted(path(), timeout)));
    }
    return recording.ask(this, message, answer);
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
    return other instanceof ActorRef<?> ref && ref.path().equals(path());
  }

  @Override
  public int hashCode() {
    return path().hashCode();
  }

  @Override
  public String toString() {
    return path().toString();
  }
}
