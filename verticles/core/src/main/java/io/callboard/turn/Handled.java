package io.callboard.turn;

import io.callboard.mailbox.Delivery;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message whose handler succeeded.
 *
 * @param input null if nothing in the mailbox is left to consume
 * @param own what the actor told itself; null if it was told by another
 * @param direct the message, if it is in no mailbox
 */
record Handled(@Nullable Input input, @Nullable Delivery own, @Nullable Direct direct, Turn turn) {
  static Handled stored(Input input, Turn turn) {
    return new Handled(input.withoutBlob(), null, null, turn);
  }

  /** Whether the message is nowhere but in memory, and it is the actor's own. */
  boolean isOwn() {
    return input == null && direct == null;
  }

  /** What the actor told itself, if it was that. */
  Stream<Delivery> told() {
    return Stream.ofNullable(own);
  }
}
