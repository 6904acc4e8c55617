package io.callboard.store;

/**
 * Header of a mailbox, which its owner writes for the senders: whether it is full, its limit, and
 * the policy for that.
 *
 * @param full whether senders are refused, whatever the number of messages
 * @param limit messages that wait before senders are refused although the owner has not set {@code
 *     full}
 * @param whenFull the policy for senders then
 */
public record MailboxHeader(boolean full, int limit, WhenFull whenFull) {
  /** The header of a mailbox whose owner has not written one yet. */
  public static final MailboxHeader NEW = of(Limits.MAILBOX_MESSAGES);

  /** Returns the header of an open mailbox with that limit. */
  public static MailboxHeader of(int limit) {
    return new MailboxHeader(false, limit, WhenFull.WAIT);
  }

  /** Returns this header with another limit. */
  public MailboxHeader withLimit(int other) {
    return new MailboxHeader(full, other, whenFull);
  }

  /** Returns this header as that of a full mailbox, or of one that is not. */
  public MailboxHeader with(boolean nowFull) {
    return new MailboxHeader(nowFull, limit, whenFull);
  }
}
