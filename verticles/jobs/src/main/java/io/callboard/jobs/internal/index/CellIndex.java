package io.callboard.jobs.internal.index;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobObserver;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.TroubledRun;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node's part in the index of the cell's jobs. */
public final class CellIndex implements JobObserver {
  private final Callboard callboard;
  private final Consumer<String> deleteFiles;
  private final JobIndex index;
  private final IndexPeers peers;
  private final JobViews views;
  private final CellTally tally;
  private final TombstoneSweep tombstones;
  private final IndexReader reader;

  /**
   * Creates the node's part.
   *
   * @param deleteFiles deletes the files that the runs of a job left on this host
   * @param notGone returns the runs that this host knows not to be gone after a kill
   */
  public CellIndex(
      Callboard callboard, Consumer<String> deleteFiles, Supplier<List<TroubledRun>> notGone) {
    this(callboard, deleteFiles, notGone, null);
  }

  /** Creates the part of a node whose host has no troubled runs. */
  CellIndex(Callboard callboard, Consumer<String> deleteFiles) {
    this(callboard, deleteFiles, List::of, null);
  }

  /**
   * Creates the node's part.
   *
   * @param questions way to the former owners of partitions, instead of that over the nodes' links
   */
  CellIndex(Callboard callboard, Consumer<String> deleteFiles, FormerOwner.Questions questions) {
    this(callboard, deleteFiles, List::of, questions);
  }

  private CellIndex(
      Callboard callboard,
      Consumer<String> deleteFiles,
      Supplier<List<TroubledRun>> notGone,
      FormerOwner.@Nullable Questions questions) {
    this.callboard = callboard;
    this.deleteFiles = deleteFiles;
    this.index = new JobIndex(callboard.leases().partitionsOfSpace());
    this.peers = new IndexPeers(callboard, index);
    this.views = new JobViews(callboard);
    this.tally = new CellTally(callboard, index, peers, notGone);
    this.tombstones = new TombstoneSweep(callboard, index, peers);
    this.reader =
        new IndexReader(
            callboard, index, questions == null ? peers::handOver : questions, tombstones::soon);
  }

  /**
   * Starts the index, before this node hosts jobs.
   *
   * @param options options of its actor, which is on the bus in any case: nodes ask the indexes of
   *     each other
   */
  public Future<Void> start(ActorOptions options) {
    reader.start();
    return callboard
        .spawn(
            IndexActor.path(callboard.node()),
            () -> new IndexActor(index, deleteFiles),
            new ActorOptions(options).onBus(true))
        .compose(actor -> peers.start())
        .onSuccess(
            v -> {
              tally.start();
              tombstones.start();
            });
  }

  @Override
  public Runnable begins(String job) {
    return index.begins(job);
  }

  @Override
  public void is(Job job) {
    index.is(job);
  }

  @Override
  public void remains(String job, Tombstone tombstone) {
    index.remains(job, tombstone);
    tombstones.deleted(job, tombstone);
  }

  @Override
  public void gone(String job, long version) {
    index.gone(job, version);
  }

  /** Returns the index of this node's partitions. */
  public JobIndex here() {
    return index;
  }

  /** Returns the indexes of all nodes. */
  public IndexPeers peers() {
    return peers;
  }

  /** Returns the reader of jobs of lists. */
  public JobViews views() {
    return views;
  }

  /** Returns the counts of the cell. */
  public CellTally tally() {
    return tally;
  }

  /** Hands this node's partitions over, with their rows, before {@link #close}; does not fail. */
  public Future<Void> leave() {
    return leave(IndexDeparture.LIMIT, IndexDeparture.STILL);
  }

  /** See {@link IndexDeparture}. */
  Future<Void> leave(Duration limit, Duration still) {
    return new IndexDeparture(callboard, index, peers, limit, still).start();
  }

  /** Stops the index. */
  public Future<Void> close() {
    reader.close();
    tombstones.close();
    tally.close();
    peers.close();
    return callboard.stop(IndexActor.path(callboard.node()));
  }
}
