package io.callboard.internal.context;

import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;

/**
 * Factory of promises whose futures complete on the caller's context; for threads that have none,
 * on a context that all of them share. So no code of a caller's runs, blocks or throws where the
 * node does its work. Once the Vert.x instance closes there is no such context, and nothing that
 * could be held up.
 */
public final class Promises {
  private final VertxInternal vertx;
  private final ContextInternal outside;

  public Promises(VertxInternal vertx) {
    this.vertx = vertx;
    this.outside = vertx.createEventLoopContext();
  }

  public <T> Promise<T> here() {
    ContextInternal caller = ContextInternal.current();
    if (caller != null) {
      return new ContextPromise<>(caller);
    }
    return vertx.closeFuture().isClosed() ? Promise.promise() : new ContextPromise<>(outside);
  }
}
