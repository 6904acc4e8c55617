package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.store.Consumed;
import org.jspecify.annotations.Nullable;

/**
 * How often the message of one durable actor that failed last was tried, and why in vain. Outlives
 * the actor's lives. Not thread-safe.
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

  /** That message failed; what another one tried is forgotten. */
  void failed(MailboxMessage message, Throwable cause) {
    if (message.sequence() != sequence || message.index() != index) {
      forget();
      sequence = message.sequence();
      index = message.index();
    }
    attempts++;
    why = cause;
  }

  /** The same of one that is in no mailbox yet: it counts when it is {@link #found} there. */
  void failed(MessageId message, Throwable cause) {
    unplaced = message;
    unplacedWhy = cause;
  }

  /** That message is in the mailbox. */
  void found(MailboxMessage message) {
    Envelope envelope = message.envelope();
    Throwable cause = unplacedWhy;
    if (cause != null && envelope != null && envelope.id().equals(unplaced)) {
      unplaced = null;
      unplacedWhy = null;
      failed(message, cause);
    }
  }

  /** That message was put aside: nobody tries it now. */
  void putAside(MailboxMessage message) {
    if (message.sequence() == sequence && message.index() == index) {
      forget();
    }
  }

  /** So many messages could not be committed together: each is tried alone. */
  void failedTogether(int messages) {
    singly = messages;
  }

  /** So much of the mailbox is consumed: of a message that is, nobody asks any more. */
  void consumed(Consumed consumed) {
    if (attempts > 0 && consumed.contains(sequence, index)) {
      forget();
    }
  }

  /** So many messages are committed, and the mailbox is consumed as far as that. */
  void committed(int messages, Consumed consumed) {
    singly = Math.max(0, singly - messages);
    consumed(consumed);
  }

  private void forget() {
    attempts = 0;
    why = null;
  }

  /** Another node has the actor. */
  void end() {
    singly = 0;
    unplaced = null;
    unplacedWhy = null;
    forget();
  }

  /** Whether the next message commits alone: its attempts are its own. */
  boolean isAlone() {
    return singly > 0 || attempts > 0;
  }

  /** Whether that message was tried often enough. */
  boolean isExhausted(MailboxMessage message) {
    return attempts >= most && message.sequence() == sequence && message.index() == index;
  }

  int attempts() {
    return attempts;
  }

  /** Of the last attempt; null if there was none. */
  @Nullable Throwable why() {
    return why;
  }
}
