package io.callboard.jobs.index;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.jobs.actor.JobActor;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Context;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the partitions that this node gains, into the index; some at a time. One that cannot be
 * read is tried again as long as the node owns it.
 */
public final class IndexReader {
  private static final Logger log = LoggerFactory.getLogger(IndexReader.class);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  /** Maximum number of partitions that are read at the same time. */
  private static final int MOST_READING = 4;

  private static final ExponentialBackoff AGAIN =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  private final Callboard callboard;
  private final JobIndex index;
  private final Runnable allRead;

  /** Context of its work, of no actor. */
  private final Context context;

  /** Partitions to be read. On the context. */
  private final Queue<Part> waiting = new ArrayDeque<>();

  private int reading;
  private int later;
  private volatile boolean closed;

  /** Partition to be read, in the epoch in which this node owns it. */
  private record Part(Partition partition, long epoch, int failures) {}

  /**
   * Creates the reader of a node.
   *
   * @param allRead called when nothing is to be read any more, for the time being
   */
  public IndexReader(Callboard callboard, JobIndex index, Runnable allRead) {
    this.callboard = callboard;
    this.index = index;
    this.allRead = allRead;
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
  }

  /** Begins to follow the partitions of this node. */
  public void start() {
    callboard
        .leases()
        .listen(
            new LeaseListener() {
              @Override
              public void held(List<Lease> leases) {
                leases.forEach(IndexReader.this::gained);
              }

              @Override
              public void gained(Lease lease, Claim claim) {
                IndexReader.this.gained(lease);
              }

              @Override
              public void lost(Partition partition) {
                if (partition.space().equals(JobIndex.space())) {
                  index.lost(partition.number());
                }
              }
            });
  }

  private void gained(Lease lease) {
    Partition partition = lease.partition();
    if (!closed
        && partition.space().equals(JobIndex.space())
        && index.gained(partition.number(), lease.epoch())) {
      context.runOnContext(v -> add(new Part(partition, lease.epoch(), 0)));
    }
  }

  private void add(Part part) {
    waiting.add(part);
    next();
  }

  private void next() {
    while (!closed && reading < MOST_READING && !waiting.isEmpty()) {
      Part part = waiting.remove();
      if (isOwned(part)) {
        reading++;
        read(part);
      }
    }
    if (!closed && reading == 0 && later == 0) {
      allRead.run();
    }
  }

  private boolean isOwned(Part part) {
    return index.has(part.partition().number(), part.epoch());
  }

  private void read(Part part) {
    ((VertxInternal) callboard.vertx())
        .createWorkerContext() // decoding many records would block an event loop
        .runOnContext(
            v ->
                callboard
                    .leases()
                    .actors(part.partition(), STORED, page -> page(part, page))
                    .onComplete(
                        done ->
                            context.runOnContext(
                                w -> {
                                  reading--;
                                  if (done.failed()) {
                                    failed(part, done.cause());
                                  } else {
                                    index.allRead(part.partition().number(), part.epoch());
                                  }
                                  next();
                                })));
  }

  private void failed(Part part, Throwable cause) {
    if (closed || !isOwned(part)) {
      return;
    }
    int failures = part.failures() + 1;
    if (failures == 1) {
      log.warn(
          "the jobs of partition {} cannot be read, lists are partial until they are; this is tried again: {}",
          part.partition(),
          cause.toString());
    }
    later++;
    var unused =
        callboard
            .time()
            .after(
                context,
                AGAIN.delay(failures, callboard.random()),
                () -> {
                  later--;
                  add(new Part(part.partition(), part.epoch(), failures));
                });
  }

  private void page(Part part, StoredActors page) {
    if (closed || !isOwned(part)) {
      throw new IllegalStateException("partition " + part.partition() + " is not owned any more");
    }
    page.readable().forEach(actor -> one(part, actor));
    page.unreadable().forEach((path, why) -> unreadable(path, why));
  }

  private void one(Part part, StoredActor actor) {
    try {
      JobActor.Slot slot = JobActor.Slot.of(actor).orElse(JobActor.Slot.EMPTY);
      if (slot.job() != null) {
        index.read(part.partition().number(), part.epoch(), slot.job().view());
      } else if (slot.deleted() != null) {
        index.read(part.partition().number(), part.epoch(), actor.path().name(), slot.deleted());
      }
    } catch (CodecException e) {
      unreadable(actor.path(), String.valueOf(e.getMessage()));
    }
  }

  private static void unreadable(ActorPath path, String why) {
    log.error("the record of job {} cannot be read, the job is missing from lists: {}", path, why);
  }

  /** Ends the reading. */
  public void close() {
    closed = true;
  }
}
