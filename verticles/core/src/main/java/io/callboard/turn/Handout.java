package io.callboard.turn;

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
final class Handout {
  private final MailAhead mail;
  private final ConsumedAhead ahead;
  private final boolean consumesFirst;
  private List<Input> handedOut = List.of();
  private @Nullable Input begun;

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
      Input next = mail.lanes().first();
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
  Step.HandleMail handOut(List<Input> inputs, Consumed settled, int stashRoom) {
    handedOut = inputs;
    return new Step.HandleMail(
        inputs.stream().map(input -> Objects.requireNonNull(input.envelope())).toList(),
        inputs.stream().map(input -> input.place(settled)).toList(),
        stashRoom);
  }

  /**
   * The first so many of those handed out were handled; they are returned. What comes behind goes
   * back, but for the next one, if its handling has begun: that is {@link #begun()}.
   */
  List<Input> handled(int count, boolean nextBegun) {
    List<Input> handled = handedOut.subList(0, count);
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
  Input begun() {
    Input taken = Objects.requireNonNull(begun);
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
    Input lacking = begun();
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
