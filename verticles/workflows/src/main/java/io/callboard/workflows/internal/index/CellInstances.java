package io.callboard.workflows.internal.index;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.workflows.internal.intake.NodeTally;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.QueueView;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** One node's part in the index of the cell's instances. */
public final class CellInstances implements InstanceObserver {
  private final Callboard callboard;
  private final InstanceIndex index;
  private final InstancePeers peers;
  private final InstanceReader reader;
  private final NodeTally tally;
  private final Supplier<List<QueueView>> waiting;
  private final RecentDeletions deletions = new RecentDeletions();

  /**
   * Creates the node's part.
   *
   * @param prefix path of which the actors of instances are children
   * @param records access to the stored instances
   * @param waiting returns the steps of this node whose jobs are of a type that no node has made
   */
  public CellInstances(
      Callboard callboard,
      String prefix,
      InstanceRecords records,
      Supplier<List<QueueView>> waiting) {
    this.callboard = callboard;
    this.waiting = waiting;
    this.index = new InstanceIndex(prefix, callboard.leases().partitionsOfSpace());
    this.peers = new InstancePeers(callboard, index);
    this.tally = new NodeTally(callboard.time().clock().instant());
    this.reader = new InstanceReader(callboard, index, records);
  }

  /**
   * Starts the index, before this node hosts instances.
   *
   * @param options options of its actor, which is on the bus in any case: nodes ask the indexes of
   *     each other
   */
  public Future<Void> start(ActorOptions options) {
    reader.start();
    return callboard
        .spawn(
            InstancesActor.path(callboard.node()),
            () -> new InstancesActor(index, tally, waiting),
            new ActorOptions(options).onBus(true))
        .compose(actor -> peers.start());
  }

  /** Begins to read what is stored, once this node hosts instances. */
  public void hosted() {
    reader.hosted();
  }

  @Override
  public void is(InstanceRow instance) {
    index.is(instance);
  }

  @Override
  public void gone(String id, long change) {
    index.gone(id, change);
  }

  @Override
  public void gone(String id, long change, boolean byUser) {
    gone(id, change);
    if (byUser) {
      deletions.add(id);
    }
  }

  /** Returns the instances that users delete while they are being archived here. */
  public RecentDeletions deletions() {
    return deletions;
  }

  /** Returns the index of this node's partitions. */
  public InstanceIndex here() {
    return index;
  }

  /** Returns the counts of this node's instances. */
  public NodeTally tally() {
    return tally;
  }

  /** Returns the indexes of all nodes. */
  public InstancePeers peers() {
    return peers;
  }

  /** Stops the index. */
  public Future<Void> close() {
    reader.close();
    peers.close();
    return callboard.stop(InstancesActor.path(callboard.node()));
  }
}
