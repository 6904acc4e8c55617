package io.callboard.mailbox;

import io.callboard.ActorRef;
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
}
