package io.callboard.turn;

import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.VolatileMailbox;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a volatile actor that nobody will handle: dead letters, whose askers are told why.
 */
record Leftovers(CallboardRuntime runtime, ActorPath path) {
  /** All that was put aside, and all that waits. */
  void lose(@Nullable Stash stash, VolatileMailbox mailbox, Throwable why) {
    if (stash != null) {
      stash.release();
      for (Object left = stash.poll(); left != null; left = stash.poll()) {
        lose(left, why);
      }
    }
    for (Object left = mailbox.poll(); left != null; left = mailbox.poll()) {
      if (left instanceof Delivery delivery && delivery.endsWithItsLife()) {
        delivery.lost(why);
      } else {
        lose(left, why);
      }
    }
  }

  void lose(Object item, Throwable why) {
    Delivery lost = Delivery.from(item);
    lost.lost(why);
    runtime.deadLetters().add(path, null, lost.message(), why);
  }
}
