package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.internal.commit.Append;
import io.callboard.internal.readahead.MailboxMessage;
import org.jspecify.annotations.Nullable;

/** Message of {@link MailboxBypass}: in memory only, until it is put into the mailbox after all. */
public final class BypassMessage {
  private final Append append;
  private long number;
  private State state = State.HERE;
  private @Nullable MailboxMessage place;

  private enum State {
    HERE,
    /** Message on its way into the mailbox. */
    SENT,
    /** Message in the mailbox, at a place that is not known yet. */
    STORED,
    PLACED,
    /** Refused by the mailbox. */
    REFUSED
  }

  public BypassMessage(Append append) {
    this.append = append;
  }

  public Append append() {
    return append;
  }

  /** Returns the number in the order in which the messages were offered. */
  long number() {
    return number;
  }

  void number(long place) {
    number = place;
  }

  Envelope envelope() {
    return append.envelope();
  }

  MessageId id() {
    return append.envelope().id();
  }

  /**
   * Returns whether the message has no property that only a mailbox heeds, and its body is in
   * memory.
   */
  boolean isPlain() {
    return envelope().handling() == Handling.PLAIN && envelope().blob() == null;
  }

  void sent() {
    state = State.SENT;
  }

  void stored() {
    state = state == State.PLACED ? state : State.STORED;
  }

  /** Records its place in the mailbox. */
  void placed(MailboxMessage found) {
    state = State.PLACED;
    place = found;
  }

  void refused() {
    state = State.REFUSED;
  }

  public boolean isHere() {
    return state == State.HERE;
  }

  /**
   * Returns whether the turn of the message may go on: its place is known, or it will have none.
   */
  boolean isSettled() {
    return state == State.PLACED || state == State.REFUSED;
  }

  /** Returns whether the message is in the mailbox, or may be soon. */
  boolean isSent() {
    return state == State.SENT || isStored();
  }

  /** Returns whether the message is in the mailbox. */
  boolean isStored() {
    return state == State.STORED || state == State.PLACED;
  }

  /** Returns its place in the mailbox; null if it has none, or it is not known. */
  @Nullable MailboxMessage place() {
    return place;
  }
}
