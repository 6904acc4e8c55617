package io.callboard.internal.activation;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.link.Push;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.store.Lease;

/**
 * Sender of pushes of new mail to the node that owns its receiver, after the commit: the first rung
 * of the doorbell ladder between nodes. A lost push costs only latency.
 */
public final class PushSender {
  /** Least time, in nanoseconds, between two reads of the leases for an unknown owner. */
  private static final long LOOK_AGAIN_NANOS = 5_000_000_000L;

  private final NodeContext node;
  private final OnceOpen<PartitionOwnership> ownership;
  private final NodeRouter router;
  private long lookedNs;

  public PushSender(NodeContext node, OnceOpen<PartitionOwnership> ownership, NodeRouter router) {
    this.node = node;
    this.ownership = ownership;
    this.router = router;
    this.lookedNs = node.nanoTime() - LOOK_AGAIN_NANOS;
  }

  /** Pushes mail that this node has put into a mailbox of another node's partition. */
  public void send(GroupCommit.Delivered mail) {
    if (!node.vertx().isClustered()) {
      return;
    }
    Lease lease = ownership.get().elsewhere(mail.receiver()).orElse(null);
    if (lease == null) {
      lookAgain();
      return;
    }
    long size = mail.mail().stream().mapToLong(Envelope::size).sum();
    byte[] segment = size > Push.MOST_BYTES ? null : Segment.encode(mail.mail());
    if (segment != null && segment.length <= Push.MOST_BYTES) {
      router.push(
          new Push(lease.ownerBoot(), mail.receiver(), lease.epoch(), mail.sequence(), segment));
    }
  }

  /** Reads the leases again: the owner of a partition claimed since the last sweep is not known. */
  private void lookAgain() {
    long nowNs = node.nanoTime();
    if (nowNs - lookedNs >= LOOK_AGAIN_NANOS) {
      lookedNs = nowNs;
      ownership.get().sweep().onFailure(NodeContext::reportedElsewhere);
    }
  }
}
