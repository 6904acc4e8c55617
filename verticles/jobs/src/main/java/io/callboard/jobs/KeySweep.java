package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.grid.index.OneByOne;
import io.callboard.grid.index.SweepSchedule;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobKey;
import io.callboard.jobs.actor.Tombstone;
import io.callboard.jobs.protocol.JobData;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep that releases expired keys, about once an hour and each by the node that owns it: those
 * whose job ended {@link JobKey#KEPT} ago, or has no record. (A timer for each key would hold all
 * of them in memory.)
 */
final class KeySweep {
  /** Maximum number of keys in one sweep; the next takes the rest. */
  static final int MOST = 10_000;

  private static final Logger log = LoggerFactory.getLogger(KeySweep.class);
  static final Duration EVERY = Duration.ofHours(1);
  private static final ActorPath STORED = ActorPath.of(JobKey.PREFIX);

  private final Callboard callboard;
  private final Supplier<Collection<Integer>> owned;
  private final Clock clock;
  private final SweepSchedule schedule;

  /** Expired key. */
  private record Over(String path, JobKey.Holder holder) {
    String job() {
      return String.valueOf(holder.job());
    }
  }

  /**
   * Creates the sweep of a node.
   *
   * @param owned returns the numbers of the partitions that this node owns
   */
  KeySweep(Callboard callboard, Supplier<Collection<Integer>> owned, Clock clock) {
    this.callboard = callboard;
    this.owned = owned;
    this.clock = clock;
    this.schedule = new SweepSchedule(callboard, EVERY, this::sweep, KeySweep::failed);
  }

  /** Starts to sweep, first after a random time. */
  void start() {
    schedule.start();
  }

  private static void failed(Throwable cause) {
    log.info(
        "expired job keys could not be removed; the next sweep tries again: {}", cause.toString());
  }

  Future<Void> sweep() {
    Instant now = clock.instant();
    List<Over> over = new ArrayList<>();
    Future<Void> read = Future.succeededFuture();
    for (int number : owned.get()) {
      Partition partition = new Partition(STORED.space(), number);
      read =
          read.compose(
              before ->
                  callboard
                      .leases()
                      .actors(
                          partition,
                          STORED,
                          page ->
                              page.readable().stream()
                                  .limit(MOST - over.size())
                                  .forEach(key -> over(key, now).ifPresent(over::add))));
    }
    return read.compose(all -> OneByOne.all(over, this::letGo));
  }

  private Future<Void> letGo(Over over) {
    return isHeld(over)
        .compose(
            held ->
                held
                    ? Future.succeededFuture()
                    : callboard
                        .durableRef(over.path(), JobKey.Claim.class)
                        .tell(JobKey.Claim.letGo(over.job(), over.holder().since())));
  }

  /** Returns whether the store says that the key's job has not ended, or not long ago. */
  private Future<Boolean> isHeld(Over over) {
    return callboard
        .admin()
        .stored(JobActor.path(over.job()))
        .map(
            stored ->
                stored.flatMap(JobActor.Slot::of).map(slot -> isHeld(over, slot)).orElse(false))
        .recover(
            cause -> {
              if (!StoreException.isDamage(cause)) {
                return Future.failedFuture(cause);
              }
              log.warn(
                  "the record of job {} cannot be read, its key {} is kept: {}",
                  over.job(),
                  over.path(),
                  cause.getMessage());
              return Future.succeededFuture(true);
            });
  }

  /** A tombstone of a job holds its idempotency key, which names the job longer than its record. */
  private boolean isHeld(Over over, JobActor.Slot slot) {
    JobData job = slot.job();
    Tombstone deleted = slot.deleted();
    return job != null
        ? !JobKey.isLongAgo(job.endedAt(), clock.instant())
        : deleted != null
            && over.holder().request() != null
            && deleted.until().isAfter(clock.instant());
  }

  private Optional<Over> over(StoredActor key, Instant now) {
    try {
      return key.record()
          .state(JobKey.Holder.class)
          .filter(holder -> isOver(holder, now))
          .map(holder -> new Over(key.path().toString(), holder));
    } catch (CodecException e) {
      log.warn("job key {} cannot be read and is kept: {}", key.path(), e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Returns whether a key may have expired, which its job decides; for a holder written by an older
   * node, without kind and time, the job alone.
   */
  private boolean isOver(JobKey.Holder holder, Instant now) {
    if (holder.job() == null) {
      return false;
    } else if (holder.request() != null) {
      return holder.mayBeOver(now);
    }
    return holder.since() == null || JobKey.isLongAgo(holder.since(), now);
  }

  void close() {
    schedule.close();
  }
}
