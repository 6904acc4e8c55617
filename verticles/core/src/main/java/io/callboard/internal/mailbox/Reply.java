package io.callboard.internal.mailbox;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Causes;
import org.jspecify.annotations.Nullable;

/**
 * Reply to a message: takes its answer or failure, and the end of its handling. Each is used once;
 * a second use is ignored.
 */
public interface Reply {
  /** Reply to a tell: no answer is awaited. */
  Reply NONE =
      new Reply() {
        @Override
        public void succeed(Object answer) {}

        @Override
        public void fail(Throwable cause) {}

        @Override
        public boolean isAwaited() {
          return false;
        }
      };

  void succeed(Object answer);

  void fail(Throwable cause);

  /** Refuses the message: its ask fails with the cause, and it is not tried again. */
  default void refuse(Throwable cause) {
    fail(cause);
  }

  /**
   * Called when the message has ended without an answer of its handler, or leaves for another node.
   */
  default void released() {}

  /** Returns the reply for the answer alone, whose use does not report the end of the message. */
  default Reply way() {
    return this;
  }

  /** Returns the rest of the reply after its {@link #way} was taken: the end of the message. */
  default Reply rest() {
    return NONE;
  }

  /** Returns whether an answer is awaited. */
  default boolean isAwaited() {
    return true;
  }

  /**
   * Returns whether the reply passes every answer and failure on. If not, the answer must be sent
   * to the {@link #actor}, and a failure makes the message a dead letter.
   */
  default boolean takesAll() {
    return isAwaited() && actor() == null;
  }

  /** Returns whether the ask has been given up, so that handling the message is of no use. */
  default boolean isOver() {
    return false;
  }

  /** Address that travels with a message; null if it has none. */
  default @Nullable String address() {
    return null;
  }

  /** Returns the actor that gets the answer; null if a future waits for it, or none is awaited. */
  default @Nullable ActorRef<?> actor() {
    return null;
  }

  /** Returns the failure of an ask whose message's handler has failed. */
  static CallboardException handlerFailed(ActorPath actor, Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE
        ? ours
        : new CallboardException(
            Code.HANDLER_FAILED,
            "%s failed: %s".formatted(actor, Causes.text(cause)),
            Causes.readable(cause));
  }
}
