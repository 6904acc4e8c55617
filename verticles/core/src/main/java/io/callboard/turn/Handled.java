package io.callboard.turn;

import io.callboard.mailbox.Delivery;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message whose handler succeeded.
 *
 * @param input null if nothing in the mailbox is left to consume
 * @param own what the actor told itself; null if it came from the mailbox
 */
record Handled(@Nullable Input input, @Nullable Delivery own, Turn turn) {
  /** What the actor told itself, if it was that. */
  Stream<Delivery> told() {
    return Stream.ofNullable(own);
  }
}
