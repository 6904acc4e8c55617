package io.callboard.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import org.jspecify.annotations.Nullable;

/** What the router delivers to at its own node; on the router's context, never blocking. */
public interface Host {
  /**
   * Puts a message for an actor, {@link Kind#TELL} or {@link Kind#ASK}, into its mailbox.
   *
   * @param boot the sending node, where the answer to an ask goes
   * @return why it was not taken; null if it was
   */
  @Nullable CallboardException deliver(Message message, String boot);

  /** An answer has come. */
  void answered(Message answer);

  /** An ask failed. */
  void failed(long number, Code code, String text);
}
