package io.callboard.internal.turn;

import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.readahead.MailboxMessage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Message whose handler succeeded.
 *
 * @param input null if nothing in the mailbox is left to consume
 * @param own the actor's message to itself; null if another sent it
 * @param direct the message, if it is in no mailbox
 */
public record HandledMessage(
    @Nullable MailboxMessage input,
    @Nullable Delivery own,
    @Nullable BypassMessage direct,
    Turn turn) {
  static HandledMessage stored(MailboxMessage mailboxMessage, Turn turn) {
    return new HandledMessage(mailboxMessage.withoutBlob(), null, null, turn);
  }

  /** Returns whether the message is the actor's own to itself, which is only in memory. */
  public boolean isOwn() {
    return input == null && direct == null;
  }

  /** Returns the actor's message to itself; empty for any other. */
  public Stream<Delivery> told() {
    return Stream.ofNullable(own);
  }
}
