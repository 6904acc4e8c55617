package io.callboard.admin;

import io.callboard.cell.LeaseCounts;

/**
 * What a node measures of itself; its actors' mailboxes are in {@link ActorStatus#mailbox()}.
 *
 * @param asksPending asks of this node that wait for an answer now
 */
public record NodeMetrics(
    NodeCounts counts,
    CommitCounts commits,
    LinkCounts links,
    BlobCounts blobs,
    LeaseCounts leases,
    int asksPending) {}
