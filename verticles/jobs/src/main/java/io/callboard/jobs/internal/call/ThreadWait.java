package io.callboard.jobs.internal.call;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Wait of application code (a handler of jobs or steps, or a builder) for a thread of its
 * scheduling zone. Whether the code is called is decided once, by who comes first: it begins, or is
 * given back. Thread-safe.
 */
public final class ThreadWait {
  private final String zone;
  private final Duration within;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);

  private enum Stage {
    NEW,
    BEGUN,
    OVER
  }

  /**
   * Begins to wait.
   *
   * @param within time in which it gets a thread; who makes it gives it back then
   */
  public ThreadWait(String zone, Duration within) {
    this.zone = zone;
    this.within = within;
  }

  /**
   * Begins the code, on a thread of the zone.
   *
   * @return false if the code is not to be called any more
   */
  public boolean begins() {
    return stage.compareAndSet(Stage.NEW, Stage.BEGUN);
  }

  /** Returns whether the code was called and has not returned. */
  public boolean hasBegun() {
    return stage.get() == Stage.BEGUN;
  }

  /**
   * Gives the code up before it was called.
   *
   * @return false if the code has begun, or the wait is over
   */
  public boolean givesBack() {
    return stage.compareAndSet(Stage.NEW, Stage.OVER);
  }

  /**
   * Records that the code has ended, with all that its caller waits for, or will never be called;
   * idempotent.
   *
   * @return whether this is the first that is heard of its end
   */
  @CanIgnoreReturnValue
  public boolean returned() {
    return stage.getAndSet(Stage.OVER) != Stage.OVER;
  }

  /** Returns whether the code was given up, or has ended. */
  public boolean isOver() {
    return stage.get() == Stage.OVER;
  }

  /** Returns the message that the code waits for a thread. */
  public String what() {
    return "it waits for a thread of the zone " + zone;
  }

  /** Returns the message that the code got no thread in time. */
  public String tooLong() {
    return "the zone %s had no thread for it within %d s".formatted(zone, within.toSeconds());
  }

  /** Returns the message that the code was rejected because the zone's queue is full. */
  public String full() {
    return "the zone %s is full".formatted(zone);
  }

  /**
   * Returns the message that the code got no thread, if that is why its actor has not begun; empty
   * for another cause.
   */
  public Optional<String> refused(Throwable cause) {
    if (cause instanceof CallboardException its && its.code() == Code.MAILBOX_FULL) {
      return Optional.of(full());
    }
    return cause.getCause() instanceof TimeoutException ? Optional.of(tooLong()) : Optional.empty();
  }
}
