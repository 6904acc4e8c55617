package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.readahead.ReadAhead;
import io.callboard.store.Consumed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Mail handed out to the handlers of one durable actor: from its mailbox or, where messages are
 * consumed first, from those consumed. Messages handed out but not handled go back, in order. Not
 * thread-safe.
 */
final class InFlightMail {
  private final ReadAhead mail;
  private final AtMostOnceWindow ahead;
  private final boolean consumesFirst;
  private List<MailboxMessage> handedOut = List.of();
  private @Nullable MailboxMessage begun;

  InFlightMail(ReadAhead mail, AtMostOnceWindow ahead, boolean consumesFirst) {
    this.mail = mail;
    this.ahead = ahead;
    this.consumesFirst = consumesFirst;
  }

  /** Removes the next messages that can be handled as they are from the mailbox. */
  List<MailboxMessage> take(int most, Batch beside) {
    List<MailboxMessage> taken = new ArrayList<>();
    int operations = beside.operations();
    while (taken.size() < most && operations < Batch.MOST) {
      MailboxMessage next = mail.lanes().first();
      if (next == null
          || next.broken() != null
          || next.envelope() == null
          || next.envelope().lacksBody()) {
        break;
      }
      operations += next.operations();
      taken.add(mail.lanes().removeFirst());
    }
    return taken;
  }

  /**
   * Hands out messages.
   *
   * @param settled what is consumed for good
   */
  TurnStep.HandleMail handOut(List<MailboxMessage> inputs, Consumed settled, int stashRoom) {
    handedOut = inputs;
    return new TurnStep.HandleMail(
        inputs.stream()
            .map(mailboxMessage -> Objects.requireNonNull(mailboxMessage.envelope()))
            .toList(),
        inputs.stream().map(mailboxMessage -> mailboxMessage.place(settled)).toList(),
        stashRoom);
  }

  /**
   * Takes the first {@code count} of the messages handed out as handled. Those behind go back,
   * except the next one if its handling has begun: that is {@link #begun()}.
   *
   * @return the handled messages
   */
  List<MailboxMessage> handled(int count, boolean nextBegun) {
    List<MailboxMessage> handled = handedOut.subList(0, count);
    int begins = nextBegun && !consumesFirst ? count + 1 : count;
    for (int i = handedOut.size() - 1; i >= begins; i--) {
      if (consumesFirst) {
        ahead.putBack();
      } else {
        mail.lanes().putBack(handedOut.get(i));
      }
    }
    begun = begins > count ? handedOut.get(count) : null;
    handedOut = List.of();
    return handled;
  }

  /** Returns the message whose handling did not succeed. */
  MailboxMessage begun() {
    MailboxMessage taken = Objects.requireNonNull(begun);
    begun = null;
    return taken;
  }

  /**
   * Forgets the messages handed out in a life that has ended: the next one finds them in the
   * mailbox.
   */
  void forget() {
    handedOut = List.of();
    begun = null;
  }

  /** Removes the next message, which lacks its body, until that is fetched. */
  Envelope fetch() {
    begun = mail.lanes().removeFirst();
    return Objects.requireNonNull(begun.envelope());
  }

  /** Puts the message back with its body. */
  void fetched(byte[] body) {
    MailboxMessage lacking = begun();
    mail.lanes().putBack(lacking.with(Objects.requireNonNull(lacking.envelope()).withBody(body)));
  }

  /** Puts the message back as one that can never be handled. */
  void broken(Throwable cause) {
    mail.lanes().putBack(begun().broken(cause));
  }

  /** Returns the number of messages handed out. */
  int size() {
    return handedOut.size();
  }
}
