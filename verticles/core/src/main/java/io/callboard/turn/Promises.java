package io.callboard.turn;

import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;

/** Promises whose futures complete on the caller's context, where it has one. */
final class Promises {
  private Promises() {}

  static <T> Promise<T> here() {
    ContextInternal caller = ContextInternal.current();
    return caller == null ? Promise.promise() : caller.promise();
  }
}
