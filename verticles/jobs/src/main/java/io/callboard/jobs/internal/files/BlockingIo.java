package io.callboard.jobs.internal.files;

import io.vertx.core.Context;

/** File and process work kept off event loops. */
public final class BlockingIo {
  private BlockingIo() {}

  /**
   * Checks that the caller may block.
   *
   * @throws IllegalStateException on an event loop
   */
  public static void check() {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("this blocks: call it inside vertx.executeBlocking");
    }
  }
}
