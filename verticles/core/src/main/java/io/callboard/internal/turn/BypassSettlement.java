package io.callboard.internal.turn;

import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was handled of {@link MailboxBypass}, until it is certain where its messages lie: those that
 * are in no mailbox have their turns committed, the others go on as mail of the mailbox. Not
 * thread-safe.
 */
final class BypassSettlement {
  private final MailboxBypass direct;
  private final ReadAhead mail;
  private final Batch batch;
  private final LongSupplier nanoTime;
  private @Nullable Slice slice;

  /**
   * What was handed out and how it ended.
   *
   * @param messages whose handling has begun: one more than turns, if the last came to nothing
   */
  private record Slice(List<BypassMessage> messages, List<Turn> turns, SliceResult end) {
    /** Whether something came to nothing, and its message is handled again. */
    boolean comesAgain() {
      return !(end instanceof SliceResult.Paused) || turns.stream().anyMatch(Turn::isAside);
    }
  }

  /**
   * A handler failed.
   *
   * @param place of its message in the mailbox; null if it is not there
   */
  record Failed(@Nullable MailboxMessage place, Throwable cause) {}

  /**
   * @param batch that takes the turns
   */
  BypassSettlement(MailboxBypass direct, ReadAhead mail, Batch batch, LongSupplier nanoTime) {
    this.direct = direct;
    this.mail = mail;
    this.batch = batch;
    this.nanoTime = nanoTime;
  }

  /** The first of those handed out were handled; see {@link TurnLoop#handledMail}. */
  void handled(List<Turn> turns, SliceResult end) {
    int begun = end instanceof SliceResult.Paused ? turns.size() : turns.size() + 1;
    Slice handled =
        new Slice(
            direct.begun(begun, mailboxMessage -> mail.lanes().putBack(mailboxMessage)),
            turns,
            end);
    slice = handled;
    if (handled.comesAgain()) {
      direct.place();
    }
  }

  /** Whether turns have to wait until the places of their messages are known. */
  boolean isPending() {
    return direct.isPlacing();
  }

  /**
   * Nothing is pending: the turns go on.
   *
   * @return a failure among them; null if there is none
   */
  @Nullable Failed settle() {
    if (direct.needsPlaces()) {
      batch.place().forEach(direct::leaves);
    }
    Slice handled = slice;
    slice = null;
    if (handled == null) {
      return null;
    }
    List<BypassMessage> messages = handled.messages();
    for (int i = 0; i < handled.turns().size(); i++) {
      settle(messages.get(i), handled.turns().get(i));
    }
    return handled.end() instanceof SliceResult.Paused
        ? null
        : unsuccessful(messages.get(messages.size() - 1), handled.end());
  }

  private void settle(BypassMessage message, Turn turn) {
    MailboxMessage place = message.place();
    if (turn.isAside()) {
      direct.leaves(message);
      if (place != null) {
        mail.lanes().putAside(place);
      }
    } else if (place == null) {
      batch.add(new HandledMessage(null, null, message, turn), nanoTime.getAsLong());
    } else {
      direct.leaves(message);
      batch.add(HandledMessage.stored(place, turn), nanoTime.getAsLong());
    }
    if (turn.releases()) {
      mail.lanes().release(turn.released());
    }
  }

  private @Nullable Failed unsuccessful(BypassMessage message, SliceResult end) {
    MailboxMessage place = message.place();
    direct.leaves(message);
    if (end instanceof SliceResult.Failed failed) {
      return new Failed(place, failed.cause());
    } else if (end instanceof SliceResult.Unreadable broken && place != null) {
      mail.lanes().putBack(place.broken(broken.cause()));
    }
    return null;
  }

  /** The life ended. */
  void forget() {
    slice = null;
  }
}
