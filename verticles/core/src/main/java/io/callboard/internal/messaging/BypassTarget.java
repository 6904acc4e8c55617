package io.callboard.internal.messaging;

import io.callboard.internal.commit.Append;

/** The durable actors here, which may take a message past its mailbox. On the durable context. */
public interface BypassTarget {
  /**
   * Whether its receiver handles the message, which is in no mailbox; see {@link
   * io.callboard.internal.turn.MailboxBypass}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Append message, boolean room);
}
