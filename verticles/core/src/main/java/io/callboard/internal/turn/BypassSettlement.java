package io.callboard.internal.turn;

import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.readahead.ReadAhead;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of handled messages of {@link MailboxBypass} once it is certain where they are: the
 * turns of those in no mailbox are committed, the others go on as mail of the mailbox. Not
 * thread-safe.
 */
final class BypassSettlement {
  private final MailboxBypass direct;
  private final ReadAhead mail;
  private final Batch batch;
  private final LongSupplier nanoTime;
  private @Nullable Slice slice;

  /**
   * Slice of messages handed out, and how it ended.
   *
   * @param messages those whose handling has begun: one more than turns, if the last did not
   *     succeed
   */
  private record Slice(List<BypassMessage> messages, List<Turn> turns, SliceResult end) {
    /** Returns whether a message of these turns is handled again. */
    boolean comesAgain() {
      return !(end instanceof SliceResult.Paused) || turns.stream().anyMatch(Turn::isAside);
    }
  }

  /**
   * Failure of a handler.
   *
   * @param place of its message in the mailbox; null if it is not there
   */
  record Failed(@Nullable MailboxMessage place, Throwable cause) {}

  /**
   * @param batch takes the turns
   */
  BypassSettlement(MailboxBypass direct, ReadAhead mail, Batch batch, LongSupplier nanoTime) {
    this.direct = direct;
    this.mail = mail;
    this.batch = batch;
    this.nanoTime = nanoTime;
  }

  /** Takes the turns of the first messages handed out; see {@link TurnLoop#handledMail}. */
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

  /** Returns whether turns have to wait until the places of their messages are known. */
  boolean isPending() {
    return direct.isPlacing();
  }

  /**
   * Settles the turns; called when none is pending.
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

  /** Forgets the slice of a life that has ended. */
  void forget() {
    slice = null;
  }
}
