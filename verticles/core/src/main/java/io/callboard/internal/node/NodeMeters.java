package io.callboard.internal.node;

import io.callboard.admin.CommitCounts;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.internal.activation.OwnedPartitions;
import io.callboard.internal.context.Counters;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.metrics.CommitMeter;

/** Meters of the parts of a node, read together. Safe for use by many threads. */
record NodeMeters(
    Counters counters,
    CommitMeter commits,
    BlobMeter blobs,
    NodeRouter router,
    OwnedPartitions partitions,
    PendingAsks asks) {

  NodeCounts counts() {
    return counts(commits.snapshot());
  }

  private NodeCounts counts(CommitCounts counted) {
    return counters.snapshot(counted.latency().count());
  }

  NodeMetrics metrics() {
    CommitCounts counted = commits.snapshot();
    return new NodeMetrics(
        counts(counted),
        counted,
        router.counts(),
        blobs.snapshot(),
        partitions.counts(),
        asks.waiting());
  }
}
