package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.PartitionSweep;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep that releases expired keys: those whose job ended {@link JobKey#KEPT} ago, or has no
 * record.
 */
final class KeySweep extends PartitionSweep<KeySweep.Over> {
  /** Maximum number of keys in one sweep; the next takes the rest. */
  static final int MOST = 10_000;

  private static final Logger log = LoggerFactory.getLogger(KeySweep.class);

  private final Callboard callboard;
  private final Clock clock;

  /** Expired key. */
  record Over(String path, JobKey.Holder holder) {
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
    super(callboard, JobKey.PREFIX, owned, MOST, "expired job keys");
    this.callboard = callboard;
    this.clock = clock;
  }

  @Override
  protected Optional<Over> expired(StoredActor key) {
    return key.record()
        .state(JobKey.Holder.class)
        .filter(holder -> isOver(holder, clock.instant()))
        .map(holder -> new Over(key.path().toString(), holder));
  }

  @Override
  protected Future<Void> remove(Over over) {
    return isHeld(over)
        .compose(
            held ->
                held
                    ? Future.succeededFuture()
                    : callboard
                        .durableRef(over.path(), JobKey.Claim.class)
                        .tell(JobKey.Claim.release(over.job(), over.holder().since())));
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
        ? !JobKey.isOver(job.endedAt(), clock.instant())
        : deleted != null
            && over.holder().request() != null
            && deleted.until().isAfter(clock.instant());
  }

  /**
   * Returns whether a key may have expired, which its job decides; for a holder written by an older
   * node, without kind and time, the job alone.
   */
  private boolean isOver(JobKey.Holder holder, Instant now) {
    boolean isOld = holder.request() == null && holder.since() == null;
    return holder.job() != null && (isOld || JobKey.isOver(holder.since(), now));
  }
}
