package io.callboard.store;

import java.util.Locale;

/**
 * What happens when a mailbox is full; its owner chooses. A volatile one knows {@link
 * #DROP_OLDEST}, and refuses what comes with all others.
 */
public enum WhenFull {
  /**
   * The turn that sends waits with all that it did, and so its actor is slowed down; code outside
   * of a turn waits for its future. The default.
   */
  WAIT,
  /**
   * The turn that sends fails as if its handler had, so that it is tried again, and its own message
   * parked at last; code outside of a turn is refused at once.
   */
  REJECT,
  /**
   * The message becomes a dead letter, all else that its turn did stays; code outside of a turn is
   * refused at once.
   */
  DROP,
  /**
   * The message stays in the outbox of its sender, which goes on with its next; code outside of a
   * turn, which has no outbox, waits.
   */
  PARK,
  /**
   * The oldest message makes room, becomes a dead letter and fails its asker. Of mailboxes in
   * memory only.
   */
  DROP_OLDEST;

  /** The name in configurations and stored headers, for example {@code drop-oldest}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
