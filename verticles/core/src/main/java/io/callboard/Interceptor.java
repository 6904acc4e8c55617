package io.callboard;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * A layer around an actor's handlers, for cross-cutting concerns such as a logging context,
 * tracing, metrics, authorisation or retries. Composed by {@link ActorOptions#intercept}; the first
 * one added is the outermost. Called on the actor's context, within the turn, for every message of
 * every actor that has it; so it must keep no state of one actor.
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
   * Handles a message, usually by passing it on to {@code next}; an exception counts as the
   * handler's failure.
   *
   * @param self the actor
   * @param next the next layer; it may be called more than once, or not at all: then the message
   *     counts as handled
   * @return as {@link Actor#receive}: a future with which the turn ends, or null
   */
  @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next);

  /** The next layer; the innermost one is the handler. */
  @FunctionalInterface
  interface Next {
    /**
     * Handles the message, by the next interceptor or the actor's handler.
     *
     * @return a future with which the turn ends, or null
     */
    @Nullable Future<?> receive(Object message);
  }

  /**
   * Wraps the context of an actor object, for layers that observe or change the actor's effects.
   * Called once for each object, on its context, before it starts.
   *
   * @param given a {@link VolatileContext}, or the {@link DurableContext} of a durable actor
   * @return {@code given}, or a context of the same kind that delegates to it
   */
  default ActorContext context(ActorContext given) {
    return given;
  }

  /** Returns the composition of this layer around {@code inner}. */
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
