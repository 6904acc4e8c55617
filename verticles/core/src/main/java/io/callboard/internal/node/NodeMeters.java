package io.callboard.internal.node;

import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.internal.activation.OwnedPartitions;
import io.callboard.internal.durable.DurableEnvironment;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.metrics.BlobMeter;

/** Meters of the parts of a node, read together. Safe for use by many threads. */
record NodeMeters(
    DurableEnvironment durable, BlobMeter blobs, NodeRouter router, OwnedPartitions partitions) {

  NodeCounts counts() {
    long commits = durable.meter().snapshot().latency().count();
    return durable.actors().node().counters().snapshot(commits);
  }

  NodeMetrics metrics() {
    return new NodeMetrics(
        counts(),
        durable.meter().snapshot(),
        router.counts(),
        blobs.snapshot(),
        partitions.counts(),
        durable.asks().waiting(),
        durable.stuck().messages());
  }
}
