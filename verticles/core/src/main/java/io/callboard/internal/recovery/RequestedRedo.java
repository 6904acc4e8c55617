package io.callboard.internal.recovery;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.journal.Redo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/**
 * The redo that an operator has requested of one durable actor, until a life has made it. One that
 * is not made is reported once the actor runs as before. Owned by the durable context.
 */
public final class RequestedRedo {
  private final NodeContext node;
  private final ActorPath path;
  private final boolean archived;
  private @Nullable PendingRedo pending;
  private Runnable report = () -> {};

  /**
   * @param archived whether the actor's events are archived
   */
  public RequestedRedo(NodeContext node, ActorPath path, boolean archived) {
    this.node = node;
    this.path = path;
    this.archived = archived;
  }

  /**
   * Requests that the next life makes the state as an operator wants it.
   *
   * @return completes on the caller's context when that is durable
   */
  public Future<Void> request(Redo wanted) {
    Promise<Void> done = node.promises().here();
    PendingRedo next = new PendingRedo(path, wanted, node.node(), archived, done);
    pending = next;
    return next.done();
  }

  /** Returns the redo that the next life is to make; null if there is none. */
  public @Nullable PendingRedo pending() {
    return pending;
  }

  /**
   * Gives up a redo whose life or start has ended: no other life will make it. {@link #report()}
   * reports that to the request.
   *
   * @return whether there was one that is not durable
   */
  public boolean giveUp(Throwable cause) {
    PendingRedo given = pending;
    pending = null;
    if (given == null || given.done().isComplete()) {
      return false;
    }
    report();
    report = () -> given.failed(cause);
    return true;
  }

  /** Reports a redo that was given up, if there is one. */
  public void report() {
    Runnable due = report;
    report = () -> {};
    due.run();
  }
}
