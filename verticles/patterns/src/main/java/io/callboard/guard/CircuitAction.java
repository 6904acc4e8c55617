package io.callboard.guard;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import org.jspecify.annotations.Nullable;

/** Action that a {@link Circuit} requests from its driver. */
sealed interface CircuitAction {
  long id();

  /** Give it to the guarded actor. */
  record Forward(long id, int attempt) implements CircuitAction {}

  /**
   * Request to take the message back if the guarded actor has not begun it, and to report {@link
   * Circuit#takenBack}.
   */
  record TakeBack(long id, int attempt) implements CircuitAction {}

  /** Request to end an attempt that is over its deadline, and to report {@link Circuit#failed}. */
  record Expire(long id, int attempt) implements CircuitAction {}

  /** Send it to the fallback; it is kept no more. */
  record Fallback(long id) implements CircuitAction {}

  /**
   * Give it up; it is kept no more.
   *
   * @param cause of its last failure; null if it has not failed
   * @param attempts that failed
   * @param full whether it is given up for want of room
   */
  record GiveUp(long id, @Nullable Throwable cause, int attempts, boolean full)
      implements CircuitAction {
    /**
     * Returns the failure that the sender gets from the guard of that path, which holds at most
     * {@code limit} messages.
     */
    CallboardException because(ActorPath path, int limit) {
      String why =
          full
              ? "%s holds at most %d messages, and this was the oldest waiting one"
                  .formatted(path, limit)
              : "%s has given up this message".formatted(path);
      if (cause != null) {
        why = "%s; it failed %d times, last with: %s".formatted(why, attempts, cause.getMessage());
      }
      return new CallboardException(full ? Code.MAILBOX_FULL : Code.HANDLER_FAILED, why, cause);
    }
  }
}
