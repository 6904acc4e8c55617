package io.callboard.store;

/**
 * Position of a message in the mailbox of its actor: the same each time the message is handled, and
 * unique for as long as the mailbox exists.
 *
 * @param sequence of its segment
 * @param index in its segment
 * @param stretch what is consumed with it
 * @param settled the segment before which all is consumed for good, handled or not
 * @param settledIndex the index in that segment
 */
public record MailPlace(
    long sequence, int index, Consumed.Stretch stretch, long settled, int settledIndex) {}
