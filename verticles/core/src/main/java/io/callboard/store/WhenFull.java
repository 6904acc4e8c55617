package io.callboard.store;

import java.util.Locale;

/**
 * Policy for messages to a full mailbox, chosen by its owner. A volatile mailbox supports {@link
 * #DROP_OLDEST}, and rejects messages with all other policies.
 */
public enum WhenFull {
  /**
   * The sending turn waits with all of its effects, which slows its actor down; code outside of a
   * turn waits for its future. The default.
   */
  WAIT,
  /**
   * The sending turn fails as if its handler had failed, so that it is retried, and its message
   * parked in the end; code outside of a turn is refused at once.
   */
  REJECT,
  /**
   * The message becomes a dead letter, and all other effects of its turn stay; code outside of a
   * turn is refused at once.
   */
  DROP,
  /**
   * The message stays in the outbox of its sender, which goes on with its next; code outside of a
   * turn, which has no outbox, waits.
   */
  PARK,
  /**
   * The oldest message makes room: it becomes a dead letter, and its ask fails. Only for mailboxes
   * in memory.
   */
  DROP_OLDEST;

  /** Returns the name in configurations and stored headers, for example {@code drop-oldest}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
