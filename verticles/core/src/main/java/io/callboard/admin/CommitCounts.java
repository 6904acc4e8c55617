package io.callboard.admin;

import io.callboard.store.CommitOutcome.Reason;
import java.util.Map;

/**
 * Counters of a node's commits since its start; all but {@code waiting} only grow.
 *
 * @param units turns, and messages from outside of any turn, in applied commits
 * @param operations of the store in applied commits, as estimated when they were packed
 * @param bytes in applied commits, estimated like these
 * @param unknown commits whose answer was lost; some of them were applied
 * @param refused commits that were refused, by reason
 * @param renewals of the node's session
 * @param heldBack units that were held back because a mailbox was full
 * @param waiting units that wait to be committed now, or are in flight
 * @param latency nanoseconds from sending an applied commit to its answer; as many as were applied
 * @param unitsPerCommit of those applied
 */
public record CommitCounts(
    long units,
    long operations,
    long bytes,
    long unknown,
    Map<Reason, Long> refused,
    long renewals,
    long heldBack,
    long waiting,
    Distribution latency,
    Distribution unitsPerCommit) {}
