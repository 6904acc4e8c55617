package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.store.Consumed;
import io.callboard.store.MailPlace;
import org.jspecify.annotations.Nullable;

/**
 * Counts the attempts of the message that failed last, across the lives of its actor. Not
 * thread-safe.
 */
final class Attempts {
  private final int most;
  private int attempts;
  private long sequence;
  private int index;
  private int singly;
  private @Nullable Throwable why;
  private @Nullable MessageId unplaced;
  private @Nullable Throwable unplacedWhy;

  /**
   * @param most attempts after which a message is parked
   */
  Attempts(int most) {
    this.most = most;
  }

  /** Counts a failed attempt of a message; those of another message are forgotten. */
  void failed(MailboxMessage message, Throwable cause) {
    if (message.sequence() != sequence || message.index() != index) {
      forget();
      sequence = message.sequence();
      index = message.index();
    }
    attempts++;
    why = cause;
  }

  /**
   * Counts a failed attempt of a message that is in no mailbox yet, once it is {@link #found}
   * there.
   */
  void failed(MessageId message, Throwable cause) {
    unplaced = message;
    unplacedWhy = cause;
  }

  /** Reports that a message was found in the mailbox. */
  void found(MailboxMessage message) {
    Envelope envelope = message.envelope();
    Throwable cause = unplacedWhy;
    if (cause != null && envelope != null && envelope.id().equals(unplaced)) {
      unplaced = null;
      unplacedWhy = null;
      failed(message, cause);
    }
  }

  /** Reports that a message was stashed, so that it is not tried now. */
  void putAside(MailboxMessage message) {
    if (message.sequence() == sequence && message.index() == index) {
      forget();
    }
  }

  /** Reports that so many messages could not be committed together: each is tried alone. */
  void failedTogether(int messages) {
    singly = messages;
  }

  /** Forgets the attempts of a message that is consumed. */
  void consumed(Consumed consumed) {
    if (attempts > 0 && consumed.contains(sequence, index)) {
      forget();
    }
  }

  /**
   * Reports that so many messages are committed.
   *
   * @param consumed what is consumed of the mailbox now
   */
  void committed(int messages, Consumed consumed) {
    singly = Math.max(0, singly - messages);
    consumed(consumed);
  }

  private void forget() {
    attempts = 0;
    why = null;
  }

  /** Forgets everything: another node runs the actor. */
  void end() {
    singly = 0;
    unplaced = null;
    unplacedWhy = null;
    forget();
  }

  /** Returns whether the next message commits alone, so that its attempts are its own. */
  boolean isAlone() {
    return singly > 0 || attempts > 0;
  }

  /** Returns whether the message has had its last attempt. */
  boolean isExhausted(MailboxMessage message) {
    return attempts >= most && message.sequence() == sequence && message.index() == index;
  }

  /**
   * Returns the failure of the attempt before, if the next one of the message at that place is its
   * last; null otherwise.
   */
  @Nullable Throwable beforeLast(MailPlace place) {
    boolean last = attempts == most - 1 && place.sequence() == sequence && place.index() == index;
    return last ? why : null;
  }

  int attempts() {
    return attempts;
  }

  /** Returns the failure of the last attempt; null if there was none. */
  @Nullable Throwable why() {
    return why;
  }
}
