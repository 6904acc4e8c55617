package io.callboard;

import io.callboard.link.LinkCounts;
import io.callboard.metrics.BlobCounts;
import io.callboard.metrics.CommitCounts;

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
