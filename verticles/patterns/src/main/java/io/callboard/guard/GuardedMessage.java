package io.callboard.guard;

import org.jspecify.annotations.Nullable;

/** State of a message in its {@link Circuit}. */
final class GuardedMessage {
  final long id;

  /** The present one, or the last. */
  int attempt;

  /** Attempts that failed. */
  int failed;

  /** Cause of the last failed attempt; null if none failed. */
  @Nullable Throwable cause;

  /** Round of the circuit in which the message was given to the guarded actor. */
  long round;

  long givenNs;

  GuardedMessage(long id) {
    this.id = id;
  }
}
