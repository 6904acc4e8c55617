package io.callboard.turn;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.VolatileMailbox;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages of an actor that nobody will handle: dead letters, whose askers are told why. */
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

  /** What a durable actor consumed ahead of its handling. */
  void loseConsumed(Envelope message, Throwable why) {
    runtime.deadLetters().add(path, null, message, why);
    runtime.asks().replyTo(message.replyTo()).fail(CallboardRuntime.handlerFailed(path, why));
  }

  /** What a durable actor told itself, but for what ends with its life anyway. */
  void loseOwn(List<Delivery> told, Throwable why) {
    for (Delivery own : told) {
      if (!own.endsWithItsLife()) {
        runtime.deadLetters().add(path, path, own.message(), why);
      }
    }
  }

  void lose(Object item, Throwable why) {
    Delivery lost = Delivery.from(item);
    lost.lost(why);
    runtime.deadLetters().add(path, null, lost.message(), why);
  }
}
