package io.callboard.guard;

import org.jspecify.annotations.Nullable;

/** State of a message in its {@link Circuit}. */
final class GuardedMessage {
  final long id;

  /** The present one, or the last. */
  int attempt;

  /** Attempts that failed. */
  int failed;

  /** Of the last of them. */
  @Nullable Throwable cause;

  /** Of the circuit, when it was given to the guarded actor. */
  long round;

  long givenNs;

  GuardedMessage(long id) {
    this.id = id;
  }
}
