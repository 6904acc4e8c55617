package io.callboard.workflows.actor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Question for which a builder has a thread of its zone, or waits for one: one at a time of a
 * message, so that a builder that blocks does not take another thread each time that its message is
 * asked again. Thread-safe.
 */
final class BuilderCall {
  private static final long NONE = -1;

  private final AtomicLong open = new AtomicLong(NONE);

  /** Returns whether a question may be asked: not while it is asked already. */
  boolean begins(long question) {
    return open.getAndSet(question) != question;
  }

  /** Notes that the code of the builder has returned, or will never be called; idempotent. */
  void returned(long question) {
    boolean unused = open.compareAndSet(question, NONE);
  }
}
