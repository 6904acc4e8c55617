package io.callboard.internal.turn;

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

  /** Parts of the limit by which it is told to senders higher, and lower again. */
  private static final int STEPS = 8;

  private final MailboxHeader wanted;
  private final int step;
  private int extra;
  private MailboxHeader header;
  private long messages;

  /**
   * @param wanted limit and wish of the actor
   */
  Backlog(MailboxHeader wanted) {
    this.wanted = wanted;
    this.step = Math.max(1, wanted.limit() / STEPS);
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

  /**
   * So many messages are consumed of segments that remain: senders count them, so they are told a
   * limit that is higher by about as much.
   */
  void consumedInPart(long count) {
    boolean over = count == 0 && extra > 0;
    if (over || count >= (long) extra + step || count < extra - 2L * step) {
      extra = count == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE / 2, (count / step + 1) * step);
    }
  }

  /** What senders are to be told, but for whether it is full. */
  private MailboxHeader told() {
    return extra == 0 ? wanted : wanted.withLimit(wanted.limit() + extra);
  }

  void arrived(int count) {
    messages += count;
  }

  long messages() {
    return messages;
  }

  /** Whether limit or wish are not what senders were told, or it is open and they are not told. */
  boolean mustTell() {
    return (header.full() || !header.equals(told())) && after(0) != null;
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
    MailboxHeader next = told().with(full);
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
