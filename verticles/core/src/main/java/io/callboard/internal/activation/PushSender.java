package io.callboard.internal.activation;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.link.FrameException;
import io.callboard.internal.link.IncomingMessage;
import io.callboard.internal.link.Push;
import io.callboard.internal.node.NodeAssembly;
import io.callboard.store.Lease;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The first rung of the doorbell between nodes: after a commit, the mail itself goes to the node
 * that owns its receiver. Lost ones cost only latency.
 */
public final class PushSender {
  /** Pushes that may wait for the durable context before further ones are refused. */
  private static final int MOST_WAITING = 1_024;

  /** Between two looks at the leases because of an owner that is not known. */
  private static final long LOOK_AGAIN_NANOS = 5_000_000_000L;

  private final NodeAssembly runtime;
  private final AtomicInteger waiting = new AtomicInteger();
  private long lookedNs;

  public PushSender(NodeAssembly runtime) {
    this.runtime = runtime;
    this.lookedNs = runtime.context().nanoTime() - LOOK_AGAIN_NANOS;
  }

  /** This node has put mail into a mailbox of a partition that is not its own. */
  public void send(GroupCommit.Delivered mail) {
    if (!runtime.context().vertx().isClustered()) {
      return;
    }
    Lease lease = runtime.ownership().elsewhere(mail.receiver()).orElse(null);
    if (lease == null) {
      lookAgain();
      return;
    }
    long size = mail.mail().stream().mapToLong(Envelope::size).sum();
    byte[] segment = size > Push.MOST_BYTES ? null : Segment.encode(mail.mail());
    if (segment != null && segment.length <= Push.MOST_BYTES) {
      runtime
          .router()
          .push(
              new Push(
                  lease.ownerBoot(), mail.receiver(), lease.epoch(), mail.sequence(), segment));
    }
  }

  /** Who owns a partition since the last sweep is not known before the next. */
  private void lookAgain() {
    long nowNs = runtime.context().nanoTime();
    if (nowNs - lookedNs >= LOOK_AGAIN_NANOS) {
      lookedNs = nowNs;
      runtime.ownership().sweep().onFailure(NodeContext::reportedElsewhere);
    }
  }

  /** Another node pushes; on the router's context. */
  public @Nullable CallboardException arrived(IncomingMessage message, String boot) {
    Push.Received push;
    try {
      push = Push.Received.of(message, boot);
    } catch (FrameException e) {
      return new CallboardException(Code.BAD_MESSAGE, String.valueOf(e.getMessage()), e);
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return new CallboardException(Code.UNAVAILABLE, "too many pushes wait there");
    }
    runtime
        .context()
        .onDurableContext(
            () -> {
              waiting.decrementAndGet();
              runtime.durables().wake().pushed(push);
            });
    return null;
  }
}
