package io.callboard.internal.readahead;

import io.callboard.store.MailboxHeader;
import org.jspecify.annotations.Nullable;

/**
 * Number of messages waiting for one actor, as far as its owner knows, and the mailbox header for
 * senders that follows from it. Mail put there unseen by others is counted when it is read. Not
 * thread-safe.
 */
public final class Backlog {
  /** Tenths of the limit from which on the mailbox is marked full. */
  private static final int FULL_TENTHS = 8;

  /** Tenths of the limit down to which it stays marked full. */
  private static final int OPEN_TENTHS = 4;

  /** Steps, as parts of the limit, in which the limit for senders is raised and lowered again. */
  private static final int STEPS = 8;

  private final MailboxHeader wanted;
  private final int step;
  private int extra;
  private MailboxHeader header;
  private long messages;

  /**
   * @param wanted limit and policy of the actor's mailbox
   */
  public Backlog(MailboxHeader wanted) {
    this.wanted = wanted;
    this.step = Math.max(1, wanted.limit() / STEPS);
    this.header = wanted;
  }

  public void loaded(MailboxHeader stored, long waiting) {
    header = stored;
    messages = waiting;
  }

  /** Sets the number of all waiting messages. */
  void counted(long waiting) {
    messages = waiting;
  }

  /**
   * Reports that so many messages of remaining segments are consumed: senders still count them, so
   * the limit for senders is raised by about as much.
   */
  public void consumedInPart(long count) {
    boolean over = count == 0 && extra > 0;
    if (over || count >= (long) extra + step || count < extra - 2L * step) {
      extra = count == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE / 2, (count / step + 1) * step);
    }
  }

  /** Returns the header for senders, but for whether the mailbox is full. */
  private MailboxHeader headerForSenders() {
    return extra == 0 ? wanted : wanted.withLimit(wanted.limit() + extra);
  }

  void arrived(int count) {
    messages += count;
  }

  public long messages() {
    return messages;
  }

  /**
   * Returns whether the header must be written: limit or policy differ from the stored ones, or the
   * mailbox is open again.
   */
  public boolean mustWriteHeader() {
    return (header.full() || !header.equals(headerForSenders())) && after(0) != null;
  }

  /** Returns whether the mailbox is full, by its header or by the count. */
  public boolean isFull() {
    return header.full() || messages * 10 >= (long) wanted.limit() * FULL_TENTHS;
  }

  /** Returns whether the actor may send itself so many messages more than it consumes. */
  public boolean takesOwn(int more) {
    // a quarter beyond the limit: nobody but the actor itself could ever make room for them
    return more <= 0 || messages + more <= wanted.limit() + wanted.limit() / 4;
  }

  /**
   * Returns the header to write once {@code consumed} messages are gone; null if it need not
   * change.
   */
  public @Nullable MailboxHeader after(int consumed) {
    long left = messages - consumed;
    long most = wanted.limit();
    boolean full = header.full() ? left * 10 > most * OPEN_TENTHS : left * 10 >= most * FULL_TENTHS;
    MailboxHeader next = headerForSenders().with(full);
    return next.equals(header) ? null : next;
  }

  /**
   * Reports a commit.
   *
   * @param consumed number of messages that it consumed
   * @param said the header that it wrote; null if it wrote none
   */
  public void committed(int consumed, @Nullable MailboxHeader said) {
    messages = Math.max(0, messages - consumed);
    if (said != null) {
      header = said;
    }
  }
}
