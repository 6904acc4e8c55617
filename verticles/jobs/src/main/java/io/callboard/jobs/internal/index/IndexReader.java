package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.grid.internal.index.PartitionReader;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the jobs of the partitions that this node gains. The former owner hands over its rows;
 * without it the records are read.
 */
public final class IndexReader extends PartitionReader {
  private static final Logger log = LoggerFactory.getLogger(IndexReader.class);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  /** Maximum number of partitions that are read at the same time. */
  private static final int MOST_READING = 4;

  /** Time for which rows of a partition that was lost are kept for its next owner. */
  static final Duration KEPT = Duration.ofSeconds(30);

  private final JobIndex index;
  private final FormerOwner.Questions questions;
  private final Runnable allRead;

  /**
   * Creates the reader of a node.
   *
   * @param questions way to the former owners
   * @param allRead called when nothing is to be read any more, for the time being
   */
  IndexReader(
      Callboard callboard, JobIndex index, FormerOwner.Questions questions, Runnable allRead) {
    super(callboard, index, "jobs", MOST_READING);
    this.index = index;
    this.questions = questions;
    this.allRead = allRead;
  }

  @Override
  protected boolean isIndexed(Partition partition) {
    return partition.space().equals(JobIndex.space());
  }

  @Override
  protected boolean gained(int partition, long epoch) {
    long before = index.epoch(partition);
    boolean isNews = index.gained(partition, epoch);
    if (isNews) {
      forgetLater(partition, before);
    }
    return isNews;
  }

  @Override
  protected void lost(int partition) {
    long epoch = index.epoch(partition);
    index.lost(partition);
    forgetLater(partition, epoch);
  }

  @Override
  protected void idle() {
    allRead.run();
  }

  /** Forgets the rows of a partition that is lost, if its next owner has not fetched them. */
  private void forgetLater(int partition, long epoch) {
    if (tasks.isClosed()) {
      index.forget(partition, epoch); // nobody can ask for them any more
    } else if (epoch > 0) {
      Alarm unused = tasks.after(KEPT, () -> index.forget(partition, epoch));
    }
  }

  @Override
  protected Future<Void> read(Part part) {
    return part.claim()
        .filter(claim -> part.failures() == 0)
        .flatMap(claim -> FormerOwner.of(part.lease(), claim))
        .map(former -> handedOver(part, former))
        .orElseGet(() -> records(part));
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

  private void page(Part part, StoredActors page) {
    checkOwned(part);
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
}
