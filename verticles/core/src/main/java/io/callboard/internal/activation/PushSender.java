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
 * The first rung of the doorbell between nodes: after a commit, the mail itself goes to the node
 * that owns its receiver. Lost ones cost only latency.
 */
public final class PushSender {
  /** Between two looks at the leases because of an owner that is not known. */
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

  /** This node has put mail into a mailbox of a partition that is not its own. */
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

  /** Who owns a partition since the last sweep is not known before the next. */
  private void lookAgain() {
    long nowNs = node.nanoTime();
    if (nowNs - lookedNs >= LOOK_AGAIN_NANOS) {
      lookedNs = nowNs;
      ownership.get().sweep().onFailure(NodeContext::reportedElsewhere);
    }
  }
}
