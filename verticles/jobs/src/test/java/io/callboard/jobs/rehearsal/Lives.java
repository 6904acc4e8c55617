package io.callboard.jobs.rehearsal;

import io.vertx.core.Future;

/** Checks of what actors do, the same for all of them. */
final class Lives {
  private Lives() {}

  static void started(String path, Future<?> start) {
    if (!start.succeeded()) {
      throw new AssertionError(path + " does not start at once", start.cause());
    }
  }

  static void handled(String path, Object message, Future<?> turn) {
    if (turn != null && !turn.succeeded()) {
      throw new AssertionError(path + " does not handle at once: " + message, turn.cause());
    }
  }
}
