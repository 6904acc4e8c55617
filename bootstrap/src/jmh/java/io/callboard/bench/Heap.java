package io.callboard.bench;

/** The heap of this JVM. */
final class Heap {
  private static final int COLLECTIONS = 3;

  private Heap() {}

  /** Bytes in use after a full collection, the least of a few. */
  static long used() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(100);
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
