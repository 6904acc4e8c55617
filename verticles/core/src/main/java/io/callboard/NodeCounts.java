package io.callboard;

/**
 * Counted since the node started; all values only grow.
 *
 * @param handled messages handled without a failure
 * @param turns durable turns committed
 * @param commits group commits applied
 * @param sent durable messages sent
 * @param failed turns that failed
 * @param parked messages parked
 * @param dead messages that could not be delivered
 */
public record NodeCounts(
    long handled, long turns, long commits, long sent, long failed, long parked, long dead) {}
