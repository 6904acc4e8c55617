package io.callboard.internal.context;

import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.AccessMode;
import io.vertx.core.spi.context.storage.ContextLocal;
import org.jspecify.annotations.Nullable;

/**
 * Record, in a turn's own context, of the message that it belongs to, for calls made after its end.
 * Loaded as a service by a Vert.x instance when it is made, which reserves room for it in its
 * contexts.
 */
public final class TurnOrigin implements VertxServiceProvider {
  @SuppressWarnings("rawtypes")
  private static final ContextLocal<Class> MESSAGE = ContextLocal.registerLocal(Class.class);

  @Override
  public void init(VertxBootstrap bootstrap) {
    // that this class is there is all it takes
  }

  /** Returns whether the Vert.x instance of that context has room for another kept origin. */
  public static boolean isKept(ContextInternal context) {
    return context.owner().contextLocals().contains(MESSAGE);
  }

  public static void put(ContextInternal turn, Class<?> message) {
    turn.putLocal(MESSAGE, AccessMode.CONCURRENT, message);
  }

  /** Class of the message whose turn has that context; null if it is no turn's. */
  public static @Nullable Class<?> get(ContextInternal context) {
    return context.getLocal(MESSAGE, AccessMode.CONCURRENT);
  }
}
