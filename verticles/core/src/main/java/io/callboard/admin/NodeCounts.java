package io.callboard.admin;

import io.callboard.supervision.Failure;
import java.util.Map;

/**
 * Counters of a node since its start; all only grow.
 *
 * @param handled messages handled without a failure
 * @param turns durable turns committed
 * @param commits group commits applied
 * @param sent durable messages sent
 * @param failed turns that failed
 * @param parked messages parked
 * @param dead messages that could not be delivered
 * @param restarts restarts of actors of this node
 * @param failures failures of actors of this node, by kind, all kinds
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
