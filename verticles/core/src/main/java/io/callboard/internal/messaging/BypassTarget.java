package io.callboard.internal.messaging;

import io.callboard.internal.commit.Append;

/**
 * Durable actors of this node that may take a message without storing it first. Used on the durable
 * context.
 */
public interface BypassTarget {
  /**
   * Returns whether the receiver handles the message, which is in no mailbox; see {@link
   * io.callboard.internal.turn.MailboxBypass}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Append message, boolean room);
}
