package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the partitions that this node gains, into the index; some at a time. The former owner
 * hands over its rows; without it the records are read. What cannot be read is tried again as long
 * as the node owns the partition.
 */
public final class IndexReader {
  private static final Logger log = LoggerFactory.getLogger(IndexReader.class);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  /** Maximum number of partitions that are read at the same time. */
  private static final int MOST_READING = 4;

  /** Time for which rows of a partition that was lost are kept for its next owner. */
  static final Duration KEPT = Duration.ofSeconds(30);

  private static final ExponentialBackoff AGAIN =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  private final Callboard callboard;
  private final JobIndex index;
  private final FormerOwner.Questions questions;
  private final Runnable allRead;

  private final BackgroundTasks tasks;

  /** Partitions to be read. On the context. */
  private final Queue<Part> waiting = new ArrayDeque<>();

  private int reading;
  private int later;

  /** Partition to be read, in the epoch in which this node owns it. */
  private record Part(Partition partition, long epoch, Optional<FormerOwner> former, int failures) {
    int number() {
      return partition.number();
    }
  }

  /**
   * Creates the reader of a node.
   *
   * @param questions way to the former owners
   * @param allRead called when nothing is to be read any more, for the time being
   */
  IndexReader(
      Callboard callboard, JobIndex index, FormerOwner.Questions questions, Runnable allRead) {
    this.callboard = callboard;
    this.index = index;
    this.questions = questions;
    this.allRead = allRead;
    this.tasks = callboard.tasks("the reader of the index of jobs");
  }

  /** Begins to follow the partitions of this node. */
  public void start() {
    callboard
        .leases()
        .listen(
            new LeaseListener() {
              @Override
              public void held(List<Lease> leases) {
                leases.forEach(lease -> IndexReader.this.gained(lease, Optional.empty()));
              }

              @Override
              public void gained(Lease lease, Claim claim) {
                IndexReader.this.gained(lease, FormerOwner.of(lease, claim));
              }

              @Override
              public void lost(Partition partition) {
                if (partition.space().equals(JobIndex.space())) {
                  long epoch = index.epoch(partition.number());
                  index.lost(partition.number());
                  forgetLater(partition.number(), epoch);
                }
              }
            });
  }

  private void gained(Lease lease, Optional<FormerOwner> former) {
    Partition partition = lease.partition();
    if (tasks.isClosed() || !partition.space().equals(JobIndex.space())) {
      return;
    }
    long before = index.epoch(partition.number());
    if (index.gained(partition.number(), lease.epoch())) {
      forgetLater(partition.number(), before);
      tasks.run(() -> add(new Part(partition, lease.epoch(), former, 0)));
    }
  }

  /** Forgets the rows of a partition that is lost, if its next owner has not fetched them. */
  private void forgetLater(int partition, long epoch) {
    if (tasks.isClosed()) {
      index.forget(partition, epoch); // nobody can ask for them any more
    } else if (epoch > 0) {
      Alarm unused = tasks.after(KEPT, () -> index.forget(partition, epoch));
    }
  }

  private void add(Part part) {
    waiting.add(part);
    next();
  }

  private void next() {
    while (!tasks.isClosed() && reading < MOST_READING && !waiting.isEmpty()) {
      Part part = waiting.remove();
      if (isOwned(part)) {
        reading++;
        read(part);
      }
    }
    if (!tasks.isClosed() && reading == 0 && later == 0) {
      allRead.run();
    }
  }

  private boolean isOwned(Part part) {
    return index.has(part.number(), part.epoch());
  }

  private void read(Part part) {
    part.former()
        .filter(former -> part.failures() == 0)
        .map(former -> handedOver(part, former))
        .orElseGet(() -> records(part))
        .onComplete(
            done ->
                tasks.run(
                    () -> {
                      reading--;
                      if (done.failed()) {
                        failed(part, done.cause());
                      } else {
                        index.allRead(part.number(), part.epoch());
                      }
                      next();
                    }));
  }

  /** Takes the rows of the former owner, and reads the records that it is unsure of. */
  private Future<Void> handedOver(Part part, FormerOwner former) {
    return former
        .rows(questions, index)
        .compose(unsure -> records(part, unsure))
        .recover(
            cause -> {
              log.debug("all records of partition {} are read", part.partition(), cause);
              return records(part);
            });
  }

  /** Reads some records. */
  private Future<Void> records(Part part, Set<String> jobs) {
    if (jobs.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Future<Optional<StoredActor>>> reads =
        jobs.stream().map(job -> callboard.admin().stored(JobActor.path(job))).toList();
    return Future.all(reads)
        .compose(
            all ->
                tasks.blocking(
                    () -> {
                      List<Optional<StoredActor>> found = all.list();
                      found.forEach(actor -> actor.ifPresent(stored -> one(part, stored)));
                      return Future.succeededFuture();
                    }));
  }

  /** Reads all records. */
  private Future<Void> records(Part part) {
    return tasks.blocking( // decoding many records would block an event loop
        () -> callboard.leases().actors(part.partition(), STORED, page -> page(part, page)));
  }

  private void failed(Part part, Throwable cause) {
    if (tasks.isClosed() || !isOwned(part)) {
      return;
    }
    int failures = part.failures() + 1;
    if (failures == 1) {
      log.warn(
          "the jobs of partition {} cannot be read, lists are partial until they are; this is tried"
              + " again: {}",
          part.partition(),
          cause.toString());
    }
    later++;
    Alarm unused =
        tasks.after(
            AGAIN.delay(failures, callboard.random()),
            () -> {
              later--;
              add(new Part(part.partition(), part.epoch(), part.former(), failures));
            });
  }

  private void page(Part part, StoredActors page) {
    if (tasks.isClosed() || !isOwned(part)) {
      throw new IllegalStateException("partition " + part.partition() + " is not owned any more");
    }
    page.readable().forEach(actor -> one(part, actor));
    page.unreadable().forEach((path, why) -> unreadable(part, path, why));
  }

  private void one(Part part, StoredActor actor) {
    try {
      JobActor.Slot slot = JobActor.Slot.of(actor).orElse(JobActor.Slot.EMPTY);
      if (slot.job() != null) {
        index.read(part.number(), part.epoch(), slot.job().view());
      } else if (slot.deleted() != null) {
        index.read(part.number(), part.epoch(), actor.path().name(), slot.deleted());
      }
    } catch (CodecException e) {
      unreadable(part, actor.path(), String.valueOf(e.getMessage()));
    }
  }

  private void unreadable(Part part, ActorPath path, String why) {
    index.unreadable(part.number(), part.epoch());
    log.error("the record of job {} cannot be read, the job is missing from lists: {}", path, why);
  }

  /** Ends the reading. */
  public void close() {
    tasks.close();
  }
}
