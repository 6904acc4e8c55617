package io.callboard.turn;

import io.callboard.codecs.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The mail that one durable actor is handed: from its mailbox, or, where the actor's messages are
 * consumed first, from those consumed. What was handed out and not handled goes back, in order. Not
 * thread-safe.
 */
final class Handout {
  private final MailAhead mail;
  private final ConsumedAhead ahead;
  private final boolean consumesFirst;
  private List<Input> handedOut = List.of();

  Handout(MailAhead mail, ConsumedAhead ahead, boolean consumesFirst) {
    this.mail = mail;
    this.ahead = ahead;
    this.consumesFirst = consumesFirst;
  }

  /** The next messages that can be handled as they are, out of the mailbox. */
  List<Input> take(int most, Batch beside) {
    List<Input> taken = new ArrayList<>();
    int operations = beside.operations();
    while (taken.size() < most && operations < Batch.MOST) {
      Input next = mail.first();
      if (next == null
          || next.broken() != null
          || next.envelope() == null
          || next.envelope().lacksBody()) {
        break;
      }
      operations += next.operations();
      taken.add(mail.removeFirst());
    }
    return taken;
  }

  /** The actor is to handle them. */
  Step.HandleMail handOut(List<Input> inputs) {
    handedOut = inputs;
    return new Step.HandleMail(
        inputs.stream().map(input -> Objects.requireNonNull(input.envelope())).toList());
  }

  /** The first so many of those handed out were handled; they are returned. */
  List<Input> handled(int count) {
    List<Input> handled = handedOut.subList(0, count);
    for (int i = handedOut.size() - 1; i >= count; i--) {
      if (consumesFirst) {
        ahead.putBack();
      } else {
        mail.putBack(handedOut.get(i));
      }
    }
    handedOut = List.of();
    return handled;
  }

  /** What was handed out is of a life that ended: the next one finds it in the mailbox. */
  void forget() {
    handedOut = List.of();
  }

  /** The body that the first message lacked. */
  void fetched(byte[] body) {
    Input first = mail.first();
    if (first != null && first.envelope() != null) {
      Envelope whole = first.envelope().withBody(body);
      mail.putBack(mail.removeFirst().with(whole));
    }
  }

  /** The first message cannot be handled, ever. */
  void broken(Throwable cause) {
    mail.putBack(mail.removeFirst().broken(cause));
  }

  /** Messages that were handed out. */
  int size() {
    return handedOut.size();
  }
}
