package io.callboard.testkit.internal.world;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Checks of what actors do. */
final class Lives {
  private Lives() {}

  static void handled(String path, Object message, @Nullable Future<?> turn) {
    if (turn != null && !turn.succeeded()) {
      throw new AssertionError(path + " does not handle at once: " + message, turn.cause());
    }
  }
}
