package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.MailPlace;
import java.util.ArrayList;
import java.util.List;

/** What the {@link TurnLoop} of a durable actor says is to be done now. */
public sealed interface TurnStep {
  /** Nothing, until something happens. */
  record Wait() implements TurnStep {}

  /** Read on, then {@link TurnLoop#read}. */
  record Read(long from) implements TurnStep {}

  /**
   * Fetch the body of the next message, then {@link TurnLoop#fetched} or {@link TurnLoop#lacking}.
   */
  record Fetch(Envelope envelope) implements TurnStep {}

  /**
   * Handle stored mail, then {@link TurnLoop#handledMail}.
   *
   * @param places where they are in the mailbox; empty if they are in none
   * @param stashRoom messages of it that may be put aside; negative if none can
   */
  record HandleMail(List<Envelope> mail, List<MailPlace> places, int stashRoom)
      implements TurnStep {}

  /** Handle the actor's own message, then {@link TurnLoop#handled} or {@link TurnLoop#failed}. */
  record HandleOwn(Delivery delivery) implements TurnStep {}

  /**
   * Commit these, then {@link TurnLoop#committed}. None, if only the header of the mailbox has to
   * change.
   *
   * @param ahead messages that the same commit consumes before they are handled
   */
  record CommitTurns(List<HandledMessage> turns, List<MailboxMessage> ahead) implements TurnStep {
    /** Whether it holds messages that were not sent to the mailbox yet. */
    public boolean hasDirect() {
      return turns.stream()
          .map(HandledMessage::direct)
          .anyMatch(message -> message != null && message.isHere());
    }

    /** All that the commit consumes and makes durable. */
    public List<HandledMessage> all() {
      if (ahead.isEmpty()) {
        return turns;
      }
      List<HandledMessage> all = new ArrayList<>(turns);
      ahead.forEach(
          mailboxMessage ->
              all.add(new HandledMessage(mailboxMessage, null, null, new Turn(Reply.NONE))));
      return all;
    }
  }

  /** Nothing, until something happens or that time is over; then {@link TurnLoop#next}. */
  record Linger(long nanos) implements TurnStep {}

  /** Put the message aside, then {@link TurnLoop#committed}. */
  record Park(MailboxMessage input, Throwable cause, int attempts) implements TurnStep {}

  /**
   * Tell the supervisor: the handler failed and all before it is committed.
   *
   * @param attempt whether that is counted as an attempt of a message
   */
  record Fail(Throwable cause, boolean attempt) implements TurnStep {}
}
