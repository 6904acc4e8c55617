package io.callboard.jobs.process;

import io.vertx.core.Context;

/** Keeps file and process work off event loops. */
final class Blocking {
  private Blocking() {}

  /**
   * @throws IllegalStateException on an event loop
   */
  static void check() {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("this blocks: call it inside vertx.executeBlocking");
    }
  }
}
