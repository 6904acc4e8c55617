package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.store.Consumed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The mail that one durable actor is handed: from its mailbox, or, where the actor's messages are
 * consumed first, from those consumed. What was handed out and not handled goes back, in order. Not
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

  /** The next messages that can be handled as they are, out of the mailbox. */
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
   * The actor is to handle them.
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
   * The first so many of those handed out were handled; they are returned. What comes behind goes
   * back, but for the next one, if its handling has begun: that is {@link #begun()}.
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

  /** The message whose handling did not succeed. */
  MailboxMessage begun() {
    MailboxMessage taken = Objects.requireNonNull(begun);
    begun = null;
    return taken;
  }

  /** What was handed out is of a life that ended: the next one finds it in the mailbox. */
  void forget() {
    handedOut = List.of();
    begun = null;
  }

  /** The next message lacks its body; until it has it nobody else takes it. */
  Envelope fetch() {
    begun = mail.lanes().removeFirst();
    return Objects.requireNonNull(begun.envelope());
  }

  /** The body that the message lacked. */
  void fetched(byte[] body) {
    MailboxMessage lacking = begun();
    mail.lanes().putBack(lacking.with(Objects.requireNonNull(lacking.envelope()).withBody(body)));
  }

  /** The message at hand cannot be handled, ever. */
  void broken(Throwable cause) {
    mail.lanes().putBack(begun().broken(cause));
  }

  /** Messages that were handed out. */
  int size() {
    return handedOut.size();
  }
}
