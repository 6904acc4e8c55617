package io.callboard.internal.supervisor;

import io.vertx.core.Future;

/** Node of a test of its root supervisor, to which nothing may be escalated. */
final class NoEscalation implements RootSupervisor.Owner {
  @Override
  public void escalated(Throwable cause) {
    throw new AssertionError(cause);
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
