package io.callboard.internal.node;

import io.callboard.Callboard;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.RootSupervisor;
import io.callboard.store.Store;
import io.callboard.store.StoreLostException;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * End of a node, and its cause if the node closes on its own: the loss of its store, or a failure
 * that no supervisor could mend. Safe for use by many threads unless a method says otherwise.
 */
final class NodeEnd implements RootSupervisor.Owner {
  private static final Logger log = LoggerFactory.getLogger(NodeEnd.class);

  private final NodeContext node;
  private final Callboard callboard;
  private final Store store;
  private final AccessDenials denials;
  private final OnceOpen<PartitionOwnership> ownership;
  private final DurableActors durables;
  private final CellEvents events;
  private final Promise<Void> end = Promise.promise();
  private volatile @Nullable Throwable cause;

  /**
   * @param callboard closed when the node ends on its own
   */
  NodeEnd(
      NodeContext node,
      Callboard callboard,
      Store store,
      AccessDenials denials,
      OnceOpen<PartitionOwnership> ownership,
      DurableActors durables,
      CellEvents events) {
    this.node = node;
    this.callboard = callboard;
    this.store = store;
    this.denials = denials;
    this.ownership = ownership;
    this.durables = durables;
    this.events = events;
  }

  /** Completes when the node has closed; fails with the cause if it closed on its own. */
  Future<Void> future() {
    return end.future();
  }

  /** Completes the end: the node has closed. */
  void closed() {
    Throwable why = cause;
    var unused = why == null ? end.tryComplete() : end.tryFail(why);
  }

  /** Fails the end: the node could not close. */
  void notClosed(Throwable why) {
    var unused = end.tryFail(why);
  }

  /** Returns whether the store serves this node no more. */
  boolean isStoreLost() {
    return cause instanceof StoreLostException;
  }

  /**
   * Handles the loss of the store: gives the session up at once, so that others own what this node
   * owned, and closes. On the durable context.
   */
  void storeLost(Throwable why) {
    if (cause != null || node.isClosing()) {
      return;
    }
    StoreLostException lost = new StoreLostException(node.node(), why);
    log.error("node {} closes: {}", node.node(), Causes.message(lost), Causes.readable(why));
    denials.note("the session of node " + node.node(), why);
    cause = lost;
    ownership.ifOpen().ifPresent(claims -> durables.wake().roles().inTouch(false, claims));
    events.sessionLost(); // what others may do from now on is stopped first
    store.close().onFailure(NodeContext::reportedElsewhere);
    callboard.close().onFailure(NodeContext::reportedElsewhere);
  }

  /** Closes the node for a failure that no supervisor could mend. */
  @Override
  public void escalated(Throwable why) {
    if (node.isClosing()) {
      log.warn(
          "a failure that no supervisor could handle, while the node closes", Causes.readable(why));
      return;
    }
    log.error("node {} closes: {}", node.node(), Causes.message(why), Causes.readable(why));
    cause = why;
    callboard.close().onFailure(NodeContext::reportedElsewhere);
  }

  @Override
  public Future<Void> close() {
    return end.future().isComplete() ? Future.succeededFuture() : callboard.close();
  }
}
