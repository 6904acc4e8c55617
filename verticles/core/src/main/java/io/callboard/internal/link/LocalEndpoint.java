package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import org.jspecify.annotations.Nullable;

/** What the router delivers to at its own node; on the router's context, never blocking. */
public interface LocalEndpoint {
  /**
   * Puts a message for an actor, {@link MessageKind#TELL} or {@link MessageKind#ASK}, into its
   * mailbox.
   *
   * @param boot the sending node, where the answer to an ask goes
   * @return why it was not taken; null if it was
   */
  @Nullable CallboardException deliver(IncomingMessage message, String boot);

  /**
   * New mail of a durable actor has come, {@link MessageKind#PUSH}: a hint, which nobody must
   * trust.
   *
   * @param boot the node that put it into the mailbox, as it says
   * @return why it was not looked at; null if it was
   */
  @Nullable CallboardException pushed(IncomingMessage push, String boot);

  /** An answer has come. */
  void answered(IncomingMessage answer);

  /** An ask failed. */
  void failed(long number, Code code, String text);
}
