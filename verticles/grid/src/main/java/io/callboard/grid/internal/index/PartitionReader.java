package io.callboard.grid.internal.index;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time.Alarm;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the partitions that this node gains, into an index; some at a time. One that cannot be
 * read is tried again as long as the node owns it.
 */
public abstract class PartitionReader {
  private static final Logger log = LoggerFactory.getLogger(PartitionReader.class);

  private static final ExponentialBackoff AGAIN =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  protected final Callboard callboard;
  protected final BackgroundTasks tasks;

  private final PartitionIndex index;
  private final String what;
  private final int most;

  /** Partitions to be read. On the context. */
  private final Queue<Part> waiting = new ArrayDeque<>();

  private boolean begun;
  private int reading;
  private int later;

  /**
   * Partition to be read.
   *
   * @param lease lease by which this node owns it
   * @param claim how it was gained; empty if it was held before
   * @param failures times that it could not be read
   */
  protected record Part(Lease lease, Optional<Claim> claim, int failures) {
    /** Returns the partition. */
    public Partition partition() {
      return lease.partition();
    }

    /** Returns its number. */
    public int number() {
      return partition().number();
    }

    /** Returns the epoch in which this node owns it. */
    public long epoch() {
      return lease.epoch();
    }
  }

  /**
   * Creates the reader of a node.
   *
   * @param index index of the node
   * @param what what is in the index, for people
   * @param most maximum number of partitions that are read at the same time
   */
  protected PartitionReader(Callboard callboard, PartitionIndex index, String what, int most) {
    this.callboard = callboard;
    this.index = index;
    this.what = what;
    this.most = most;
    this.tasks = callboard.tasks("the reader of the index of " + what);
  }

  /** Begins to follow the partitions of this node, of which none is read before {@link #begin}. */
  public void start() {
    callboard
        .leases()
        .listen(
            new LeaseListener() {
              @Override
              public void held(List<Lease> leases) {
                leases.forEach(lease -> gains(lease, Optional.empty()));
              }

              @Override
              public void gained(Lease lease, Claim claim) {
                gains(lease, Optional.of(claim));
              }

              @Override
              public void lost(Partition partition) {
                if (isIndexed(partition)) {
                  PartitionReader.this.lost(partition.number());
                }
              }
            });
  }

  /** Begins to read. */
  public void begin() {
    tasks.run(
        () -> {
          begun = true;
          next();
        });
  }

  private void gains(Lease lease, Optional<Claim> claim) {
    Partition partition = lease.partition();
    if (!tasks.isClosed() && isIndexed(partition) && gained(partition.number(), lease.epoch())) {
      tasks.run(() -> add(new Part(lease, claim, 0)));
    }
  }

  private void add(Part part) {
    waiting.add(part);
    next();
    if (reading == 0 && later == 0 && !tasks.isClosed()) {
      idle();
    }
  }

  private void next() {
    while (!tasks.isClosed() && begun && reading < most && !waiting.isEmpty()) {
      Part part = waiting.remove();
      if (isOwned(part)) {
        reading++;
        Future.succeededFuture()
            .compose(v -> read(part)) // one that throws has ended, too
            .onComplete(done -> tasks.run(() -> ended(part, done)));
      }
    }
  }

  private void ended(Part part, AsyncResult<Void> done) {
    reading--;
    if (done.succeeded()) {
      index.allRead(part.number(), part.epoch());
    } else {
      failed(part, done.cause());
    }
    next();
    if (reading == 0 && later == 0 && !tasks.isClosed()) {
      idle();
    }
  }

  private void failed(Part part, Throwable cause) {
    if (tasks.isClosed() || !isOwned(part)) {
      return;
    }
    int failures = part.failures() + 1;
    if (failures == 1) {
      log.warn(
          "the {} of partition {} cannot be read, lists are partial until they are; this is tried again: {}",
          what,
          part.partition(),
          cause.toString());
    }
    later++;
    Alarm unused =
        tasks.after(
            AGAIN.delay(failures, callboard.random()),
            () -> {
              later--;
              add(new Part(part.lease(), part.claim(), failures));
            });
  }

  /** Returns whether this node still owns a partition in the epoch in which it is to be read. */
  protected final boolean isOwned(Part part) {
    return index.has(part.number(), part.epoch());
  }

  /** Fails if this node does not own a partition any more, or the reading has ended. */
  protected final void checkOwned(Part part) {
    if (tasks.isClosed() || !isOwned(part)) {
      throw new IllegalStateException("partition " + part.partition() + " is not owned any more");
    }
  }

  /** Returns whether what is in a partition is indexed. */
  protected abstract boolean isIndexed(Partition partition);

  /** Notes in the index that a partition was gained; returns whether that is news. Any thread. */
  protected boolean gained(int partition, long epoch) {
    return index.gained(partition, epoch);
  }

  /** Notes in the index that a partition was lost. Any thread. */
  protected void lost(int partition) {
    index.lost(partition);
  }

  /** Reads a partition. */
  protected abstract Future<Void> read(Part part);

  /** Called when nothing is to be read any more, for the time being. */
  protected void idle() {}

  /** Ends the reading. */
  public void close() {
    tasks.close();
  }
}
