package io.callboard;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * A layer around an actor's handlers: for what many actors need and none should know, as a logging
 * context, tracing, metrics, authorisation, or trying again. Composed by {@link
 * ActorOptions#intercept}; the first one named is the outermost. Called on the actor's context,
 * within the turn, for every message of every actor that has it; so it keeps no state of one.
 *
 * <pre>{@code
 * Interceptor refusing = (self, message, next) -> {
 *   if (message instanceof Withdraw && closed.get()) {
 *     throw new IllegalStateException("the bank is closed");
 *   }
 *   return next.receive(message);
 * };
 * }</pre>
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Handles a message by passing it on, or instead of it; what it throws is the handler's failure.
   *
   * @param self the actor
   * @param next to pass on to, more than once if need be, or not at all: then the message counts as
   *     handled
   * @return as {@link Actor#receive}: null or a future, with which the turn ends
   */
  @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next);

  /** The next layer, at last the handler. */
  @FunctionalInterface
  interface Next {
    @Nullable Future<?> receive(Object message);
  }

  /**
   * What an object of the actor is given in place of {@code given}: for layers that see, or change,
   * what the actor does. Called once for each object, on its context, before it starts.
   *
   * @return {@code given}, or a context that passes on to it
   */
  default ActorContext context(ActorContext given) {
    return given;
  }

  /** This one around {@code inner}. */
  default Interceptor around(Interceptor inner) {
    Interceptor outer = this;
    return new Interceptor() {
      @Override
      public @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next) {
        return outer.receive(self, message, passed -> inner.receive(self, passed, next));
      }

      @Override
      public ActorContext context(ActorContext given) {
        return inner.context(outer.context(given));
      }
    };
  }
}
