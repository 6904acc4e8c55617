package io.callboard.chaos.hosts;

/** Progress messages of a run, on standard error; the verdict follows on standard output. */
public final class Progress {
  private static final long STARTED = System.nanoTime();

  private Progress() {}

  public static void say(String what) {
    System.err.printf("%7.1f s  %s%n", (System.nanoTime() - STARTED) / 1e9, what);
  }
}
