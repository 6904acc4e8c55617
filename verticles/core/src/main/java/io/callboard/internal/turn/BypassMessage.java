package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.internal.commit.Append;
import org.jspecify.annotations.Nullable;

/**
 * A message of {@link MailboxBypass}: in memory alone, until it is put into the mailbox after all.
 */
public final class BypassMessage {
  private final Append append;
  private long number;
  private State state = State.HERE;
  private @Nullable MailboxMessage place;

  private enum State {
    HERE,
    /** It is being put into the mailbox. */
    SENT,
    /** It is there; where, is not known yet. */
    STORED,
    PLACED,
    /** It was to be put there, and could not be. */
    REFUSED
  }

  public BypassMessage(Append append) {
    this.append = append;
  }

  public Append append() {
    return append;
  }

  /** In the order in which its actor was told. */
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

  /** Whether nothing goes along with it that only a mailbox heeds, and its body is here. */
  boolean isPlain() {
    return envelope().handling() == Handling.PLAIN && envelope().blob() == null;
  }

  void sent() {
    state = State.SENT;
  }

  void stored() {
    state = state == State.PLACED ? state : State.STORED;
  }

  /** It was found in the mailbox. */
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

  /** Whether its turn may go on: with its place, or without for good. */
  boolean isSettled() {
    return state == State.PLACED || state == State.REFUSED;
  }

  /** Whether the mailbox has it, or may have it soon. */
  boolean isSent() {
    return state == State.SENT || isStored();
  }

  /** Whether the mailbox has it. */
  boolean isStored() {
    return state == State.STORED || state == State.PLACED;
  }

  /** In the mailbox; null if it is not there, or that is not known. */
  @Nullable MailboxMessage place() {
    return place;
  }
}
