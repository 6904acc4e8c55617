package io.callboard.workflows.actor;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Call of a builder, for which it has a thread of its zone, or waits for one. The actor of a
 * message makes one at a time in a life of it, so that a builder that blocks does not take another
 * thread each time that its message is asked again. Whether its code is called is decided once: it
 * begins, or is given back. Thread-safe.
 */
final class BuilderCall {
  private final long question;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);

  private enum Stage {
    NEW,
    BEGUN,
    OVER
  }

  /** Creates the call for the question of that number. */
  BuilderCall(long question) {
    this.question = question;
  }

  /** Returns whether it is open for that question, which is not to be asked again then. */
  boolean asks(long number) {
    return question == number && stage.get() != Stage.OVER;
  }

  /** Begins, on a thread of the zone; false if the builder is not to be called any more. */
  boolean begins() {
    return stage.compareAndSet(Stage.NEW, Stage.BEGUN);
  }

  /** Gives it back, so that the builder is not called; false if it has begun, or is over. */
  boolean givesBack() {
    return stage.compareAndSet(Stage.NEW, Stage.OVER);
  }

  /** Notes that the code of the builder has returned, or will never be called; idempotent. */
  void returned() {
    stage.set(Stage.OVER);
  }
}
