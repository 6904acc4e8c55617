package io.callboard.bench;

import java.util.ArrayDeque;
import java.util.Deque;

/** Started parts, all of which are closed in the reverse order. */
final class Parts implements AutoCloseable {
  private final Deque<Ending> endings = new ArrayDeque<>();

  /** End of one part. */
  interface Ending {
    void end() throws Exception;
  }

  void add(Ending ending) {
    endings.push(ending);
  }

  /**
   * @throws IllegalStateException with the first failure, after all were tried
   */
  @Override
  public void close() {
    IllegalStateException failure = null;
    while (!endings.isEmpty()) {
      try {
        endings.pop().end();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        if (failure == null) {
          failure = new IllegalStateException("what was started could not be ended", e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
