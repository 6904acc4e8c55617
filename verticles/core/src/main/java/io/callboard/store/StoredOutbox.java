package io.callboard.store;

/**
 * An entry of an actor's outbox, not decoded.
 *
 * @param number its place in the outbox: entries of a lower number were sent before
 * @param bytes as {@link io.callboard.codecs.OutboxEntry} wrote them
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredOutbox(long number, byte[] bytes) {}
