package io.callboard.store;

/**
 * A segment of a mailbox, not decoded.
 *
 * @param sequence its place in the mailbox
 * @param bytes as {@link io.callboard.codecs.Segment} wrote them
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredSegment(long sequence, byte[] bytes) {}
