package io.callboard.internal.mailbox;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Failure;
import org.jspecify.annotations.Nullable;

/** Where the answer to a message goes. Each is used once; a second use is ignored. */
public interface Reply {
  /** Of a tell: nobody waits. */
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

  /** Its handler refuses the message: whoever waits is told why, and it is not tried again. */
  default void refuse(Throwable cause) {
    fail(cause);
  }

  /** Its message is over without an answer of its handler, or travels on to another node. */
  default void released() {}

  /** The way of an answer alone: who uses it says nothing about the end of the message. */
  default Reply way() {
    return this;
  }

  /** What is left to be told when somebody has taken the {@link #way}: the end of the message. */
  default Reply rest() {
    return NONE;
  }

  /** Whether anybody is told the answer. */
  default boolean isAwaited() {
    return true;
  }

  /**
   * Whether an answer or a failure that it is given reaches whom it concerns. If not, whoever gives
   * it sends the answer to the {@link #actor}, and a failure makes the message a dead letter.
   */
  default boolean takesAll() {
    return isAwaited() && actor() == null;
  }

  /** Whether whoever asked has given up, so that handling the message is of no use. */
  default boolean isOver() {
    return false;
  }

  /** As it travels with a message; null if it cannot. */
  default @Nullable String address() {
    return null;
  }

  /** The actor that is told the answer; null if a future waits for it, or nobody. */
  default @Nullable ActorRef<?> actor() {
    return null;
  }

  /** The failure with which a handler's failure answers an ask. */
  static CallboardException handlerFailed(ActorPath actor, Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE
        ? ours
        : new CallboardException(
            Code.HANDLER_FAILED, "%s failed: %s".formatted(actor, Failure.text(cause)), cause);
  }
}
