package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.CommitOutcome.Reason;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Access to the node's committer for parts that exist before it does: a committer works on a
 * session, which begins when the store is open. Every method is called on the durable context.
 */
public final class CommitPort {
  private @Nullable Committer committer;

  /** Sets the committer: the store is open. */
  public void opened(Committer opened) {
    committer = opened;
  }

  /** Commits a unit; fails it before the node is open. */
  public void submit(PendingUnit unit) {
    if (committer == null) {
      unit.done().accept(new PendingUnit.Result.Failed(Reason.INCARNATION, NodeContext.NOT_OPEN));
    } else {
      committer.submit(unit);
    }
  }

  /** Completes when no unit waits any more; see {@link Committer#drain}. */
  public Future<Void> drain() {
    return committer == null ? Future.succeededFuture() : committer.drain();
  }

  /** Fails the units that still wait. */
  public void close() {
    if (committer != null) {
      committer.close();
    }
  }

  /** Returns whether a commit under way sends to that mailbox, and so will report its mail. */
  public boolean isSendingTo(ActorPath receiver) {
    return committer != null && committer.isSendingTo(receiver);
  }
}
