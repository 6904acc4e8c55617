package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.codecs.BoundedMap;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.model.Job;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs of lists, read from the store. The last ones are kept, so that a page that is looked at
 * again and again reads what has changed alone. Any thread.
 */
public final class JobViews {
  private static final Logger log = LoggerFactory.getLogger(JobViews.class);
  private static final int MOST_KEPT = 1_000;

  private final Callboard callboard;

  /** Guarded by itself. */
  private final Map<String, Job> kept = BoundedMap.ofRecent(MOST_KEPT);

  /** Creates the reader of a node. */
  public JobViews(Callboard callboard) {
    this.callboard = callboard;
  }

  /**
   * Returns the jobs that have a record, by id.
   *
   * @param rows what is read; a record may be of a later version, or of one before it if the store
   *     lags behind the index
   */
  public Future<Map<String, Job>> read(List<RowRef> rows) {
    Map<String, Job> found = new HashMap<>();
    List<Future<Optional<StoredActor>>> reads = new ArrayList<>();
    synchronized (kept) {
      for (RowRef row : rows) {
        Job job = kept.get(row.id());
        if (job != null && job.version() >= row.version()) {
          found.put(row.id(), job);
        } else {
          reads.add(stored(row.id()));
        }
      }
    }
    return reads.isEmpty()
        ? Future.succeededFuture(found)
        : Future.all(reads)
            .compose(
                all ->
                    callboard
                        .vertx()
                        .executeBlocking(() -> decoded(all.list(), found), false)); // up to 200
  }

  /** Reads a record; one that is damaged hides no other. */
  private Future<Optional<StoredActor>> stored(String id) {
    return callboard
        .admin()
        .stored(JobActor.path(id))
        .recover(
            cause ->
                StoreException.isDamage(cause)
                    ? unreadable(id, cause)
                    : Future.failedFuture(cause));
  }

  private static Future<Optional<StoredActor>> unreadable(String id, Throwable cause) {
    log.error("the record of job {} cannot be read, the job is missing from lists", id, cause);
    return Future.succeededFuture(Optional.empty());
  }

  private Map<String, Job> decoded(List<Optional<StoredActor>> actors, Map<String, Job> found) {
    for (Optional<StoredActor> actor : actors) {
      try {
        actor
            .flatMap(JobActor.Slot::of)
            .flatMap(slot -> Optional.ofNullable(slot.job()))
            .ifPresent(job -> found.put(job.id(), job.view()));
      } catch (CodecException e) {
        log.error("the record of a job cannot be read, the job is missing from lists", e);
      }
    }
    synchronized (kept) {
      kept.putAll(found);
    }
    return found;
  }
}
