package io.callboard.admin;

import io.callboard.cell.LeaseCounts;

/**
 * Metrics of a node; those of its actors' mailboxes are in {@link ActorStatus#mailbox()}.
 *
 * @param asksPending asks of this node that wait for an answer now
 * @param stuckMessages messages that cannot leave their outboxes ({@link StuckMail})
 */
public record NodeMetrics(
    NodeCounts counts,
    CommitCounts commits,
    LinkCounts links,
    BlobCounts blobs,
    LeaseCounts leases,
    int asksPending,
    long stuckMessages) {}
