package io.callboard.supervision;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides about the failures of one child. A machine without I/O: it takes {@code now} in
 * nanoseconds of a monotonic clock. Not thread-safe.
 */
public final class Supervisor {
  /** For what a child is not to blame for. */
  static final Backoff AFTER_INTERRUPTION =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5), Backoff.Jitter.EQUAL);

  private final SupervisionOptions options;
  private final RandomGenerator random;
  private final Window window;
  private long consecutive;
  private long interruptions;
  private long startedNs;
  private boolean running;

  /** What to do about a failure. */
  public sealed interface Directive {
    /** Start a new object after the delay. */
    record Restart(Duration delay) implements Directive {}

    /** The same, for the {@code times}-th time since it last ran well. */
    record Retry(Duration delay, long times) implements Directive {}

    /** Leave it be until it is resumed, or its node starts again. */
    record Rest(String why) implements Directive {}
  }

  public Supervisor(SupervisionOptions options, RandomGenerator random) {
    this.options = options;
    this.random = random;
    this.window = new Window(new Intensity(options.intensity(), options.window()));
  }

  /** The child has started. */
  public void started(long nowNs) {
    running = true;
    startedNs = nowNs;
  }

  /** The child failed, in a handler or while starting. */
  public Directive failed(long nowNs) {
    ended(nowNs);
    if (!window.allows(nowNs)) {
      return new Directive.Rest(window.limit());
    }
    consecutive++;
    return new Directive.Restart(options.backoff().delay(consecutive, random));
  }

  /**
   * What the child needs was not there: it does not run, through no fault of its own. Nothing of
   * that counts as its failure, however long it lasts.
   */
  public Directive interrupted(long nowNs) {
    ended(nowNs);
    interruptions++;
    return new Directive.Retry(AFTER_INTERRUPTION.delay(interruptions, random), interruptions);
  }

  private void ended(long nowNs) {
    if (running && nowNs - startedNs >= options.resetAfter().toNanos()) {
      consecutive = 0;
      interruptions = 0;
    }
    running = false;
  }

  /** An operator wants the child to be tried again: all counts start over. */
  public void resumed() {
    consecutive = 0;
    interruptions = 0;
    window.clear();
  }
}
