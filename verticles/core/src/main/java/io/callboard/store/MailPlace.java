package io.callboard.store;

/**
 * Where a message is in the mailbox of its actor: the same however often it is handled, and no
 * other message's for as long as the mailbox lives.
 *
 * @param sequence of its segment
 * @param index in its segment
 * @param stretch what is consumed with it
 * @param settled the segment before which all is consumed for good, whatever became of it
 * @param settledIndex the index in that segment
 */
public record MailPlace(
    long sequence, int index, Consumed.Stretch stretch, long settled, int settledIndex) {}
