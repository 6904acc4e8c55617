package io.callboard.turn;

import io.callboard.store.MailboxHeader;
import org.jspecify.annotations.Nullable;

/**
 * How much mail waits for one actor, as far as its owner knows, and so what its senders are told.
 * Mail that others put there unseen is counted when it is read. Not thread-safe.
 */
final class Backlog {
  /** Parts of ten of the limit from which on the mailbox is said to be full. */
  private static final int FULL_TENTHS = 8;

  /** Parts of ten of the limit from which on it is said to be open again. */
  private static final int OPEN_TENTHS = 4;

  private final MailboxHeader wanted;
  private MailboxHeader header;
  private long messages;

  /**
   * @param wanted limit and wish of the actor
   */
  Backlog(MailboxHeader wanted) {
    this.wanted = wanted;
    this.header = wanted;
  }

  void loaded(MailboxHeader stored, long waiting) {
    header = stored;
    messages = waiting;
  }

  /** As many as that wait in all. */
  void counted(long waiting) {
    messages = waiting;
  }

  void arrived(int count) {
    messages += count;
  }

  long messages() {
    return messages;
  }

  /** Whether limit or wish are not what senders were told, or it is open and they are not told. */
  boolean mustTell() {
    return (header.full() || !header.equals(wanted)) && after(0) != null;
  }

  /** Whether it is full, told or not. */
  boolean isFull() {
    return header.full() || messages * 10 >= (long) wanted.limit() * FULL_TENTHS;
  }

  /** Whether the actor may send itself so many more than it consumes. */
  boolean takesOwn(int more) {
    // a quarter beyond the limit: nobody but the actor itself could ever make room for them
    return more <= 0 || messages + more <= wanted.limit() + wanted.limit() / 4;
  }

  /** What the header must say once {@code consumed} messages are gone; null if it says so. */
  @Nullable MailboxHeader after(int consumed) {
    long left = messages - consumed;
    long most = wanted.limit();
    boolean full = header.full() ? left * 10 > most * OPEN_TENTHS : left * 10 >= most * FULL_TENTHS;
    MailboxHeader next = wanted.with(full);
    return next.equals(header) ? null : next;
  }

  /** A commit consumed so many and, if {@code said} is not null, changed the header. */
  void committed(int consumed, @Nullable MailboxHeader said) {
    messages = Math.max(0, messages - consumed);
    if (said != null) {
      header = said;
    }
  }
}
