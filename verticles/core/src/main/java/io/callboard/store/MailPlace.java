package io.callboard.store;

/**
 * Where a message is in the mailbox of its actor: the same however often it is handled, and no
 * other message's for as long as the mailbox lives.
 *
 * @param sequence of its segment
 * @param index in its segment
 * @param stretch what is consumed with it
 */
public record MailPlace(long sequence, int index, Consumed.Stretch stretch) {}
