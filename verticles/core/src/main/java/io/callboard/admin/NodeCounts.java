package io.callboard.admin;

import io.callboard.supervision.Failure;
import java.util.Map;

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
 * @param restarts how often an actor of this node began again
 * @param failures what went wrong with actors of this node, by kind, all kinds
 */
public record NodeCounts(
    long handled,
    long turns,
    long commits,
    long sent,
    long failed,
    long parked,
    long dead,
    long restarts,
    Map<Failure.Kind, Long> failures) {}
