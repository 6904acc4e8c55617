package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of the messages that the router delivers at its own node; called on the router's
 * context, must not block.
 */
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
   * Takes new mail of a durable actor, {@link MessageKind#PUSH}: a hint that must not be trusted.
   *
   * @param boot the node that put it into the mailbox, as it says
   * @return why it was refused; null if it was taken
   */
  @Nullable CallboardException pushed(IncomingMessage push, String boot);

  /** Takes the answer to an ask. */
  void answered(IncomingMessage answer);

  /** Takes the failure of an ask. */
  void failed(long number, Code code, String text);
}
