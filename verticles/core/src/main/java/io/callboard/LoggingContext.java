package io.callboard;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Interceptor that adds the actor's path and the message's type to the log lines of a handler:
 * {@value #ACTOR} and {@value #MESSAGE} of SLF4J's mapped diagnostic context, until the handler
 * returns (not until its future completes).
 */
public final class LoggingContext implements Interceptor {
  /** The actor's path. */
  public static final String ACTOR = "actor";

  /** The message's simple class name. */
  public static final String MESSAGE = "message";

  @Override
  public @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next) {
    try (var actor = MDC.putCloseable(ACTOR, self.path().toString());
        var type = MDC.putCloseable(MESSAGE, message.getClass().getSimpleName())) {
      return next.receive(message);
    }
  }
}
