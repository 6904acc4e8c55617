package io.callboard.internal.turn;

import io.callboard.internal.mailbox.Delivery;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message whose handler succeeded.
 *
 * @param input null if nothing in the mailbox is left to consume
 * @param own what the actor told itself; null if it was told by another
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

  /** Whether the message is nowhere but in memory, and it is the actor's own. */
  public boolean isOwn() {
    return input == null && direct == null;
  }

  /** What the actor told itself, if it was that. */
  public Stream<Delivery> told() {
    return Stream.ofNullable(own);
  }
}
