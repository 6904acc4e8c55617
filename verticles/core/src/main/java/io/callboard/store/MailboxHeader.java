package io.callboard.store;

/**
 * What a mailbox tells its senders.
 *
 * @param full whether they are refused, whatever their number
 * @param limit messages that wait before they are refused although the owner has not said so
 * @param whenFull what they do then
 */
public record MailboxHeader(boolean full, int limit, WhenFull whenFull) {
  /** Of a mailbox whose owner has not said anything yet. */
  public static final MailboxHeader NEW = of(Limits.MAILBOX_MESSAGES);

  /** Open, with that limit. */
  public static MailboxHeader of(int limit) {
    return new MailboxHeader(false, limit, WhenFull.WAIT);
  }

  /** The same with another limit. */
  public MailboxHeader withLimit(int other) {
    return new MailboxHeader(full, other, whenFull);
  }

  /** The same, full or not. */
  public MailboxHeader with(boolean nowFull) {
    return new MailboxHeader(nowFull, limit, whenFull);
  }
}
