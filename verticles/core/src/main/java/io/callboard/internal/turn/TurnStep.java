package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.store.MailPlace;
import java.util.ArrayList;
import java.util.List;

/** Step that the {@link TurnLoop} of a durable actor wants carried out. */
public sealed interface TurnStep {
  /** Wait until something happens. */
  record Wait() implements TurnStep {}

  /** Read further mail, then call {@link TurnLoop#read}. */
  record Read(long from) implements TurnStep {}

  /**
   * Fetch the body of the next message, then call {@link TurnLoop#fetched} or {@link
   * TurnLoop#lacking}.
   */
  record Fetch(Envelope envelope) implements TurnStep {}

  /**
   * Handle mail, then call {@link TurnLoop#handledMail}.
   *
   * @param places the positions in the mailbox; empty if the messages are in none
   * @param stashRoom messages that may still be stashed; negative if none can
   */
  record HandleMail(List<Envelope> mail, List<MailPlace> places, int stashRoom)
      implements TurnStep {}

  /**
   * Handle the actor's message to itself, then call {@link TurnLoop#handled} or {@link
   * TurnLoop#failed}.
   */
  record HandleOwn(Delivery delivery) implements TurnStep {}

  /**
   * Commit turns, then call {@link TurnLoop#committed}. There are none if only the header of the
   * mailbox has to change.
   *
   * @param ahead messages that the same commit consumes before they are handled
   */
  record CommitTurns(List<HandledMessage> turns, List<MailboxMessage> ahead) implements TurnStep {
    /** Returns whether the step holds messages that are not in the mailbox. */
    public boolean hasDirect() {
      return turns.stream()
          .map(HandledMessage::direct)
          .anyMatch(message -> message != null && message.isHere());
    }

    /** Returns all messages that the commit consumes or makes durable. */
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

  /** Wait until something happens or the time has passed; then call {@link TurnLoop#next}. */
  record Linger(long nanos) implements TurnStep {}

  /** Park the message, then call {@link TurnLoop#committed}. */
  record Park(MailboxMessage input, Throwable cause, int attempts) implements TurnStep {}

  /**
   * Report to the supervisor that the handler failed; all before it is committed.
   *
   * @param attempt whether that counts as an attempt of a message
   */
  record Fail(Throwable cause, boolean attempt) implements TurnStep {}
}
