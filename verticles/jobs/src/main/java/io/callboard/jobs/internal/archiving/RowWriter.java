package io.callboard.jobs.internal.archiving;

import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.archive.internal.ended.EndedRefusal;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.index.EndedJob;
import io.callboard.jobs.internal.index.IndexCommand;
import io.callboard.jobs.internal.index.RowRef;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.store.Limits;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of ended jobs to the database, a page after another. What is done is remembered by the
 * index of each job's node; a row that is there already stays as it is. One context.
 */
final class RowWriter {
  /** Size of the bodies from which a page takes no more jobs, in characters. */
  static final int MOST_PAGE = 4 << 20;

  private static final Logger log = LoggerFactory.getLogger(RowWriter.class);

  private final Callboard callboard;
  private final Function<List<ActorPath>, Future<StoredActors>> records;
  private final JobHistory history;

  RowWriter(Callboard callboard, JobHistory history) {
    this(callboard, paths -> callboard.admin().stored(paths), history);
  }

  /**
   * @param records reads what is stored of some actors, {@link Limits#PAGE_ACTORS} at most
   */
  RowWriter(
      Callboard callboard,
      Function<List<ActorPath>, Future<StoredActors>> records,
      JobHistory history) {
    this.callboard = callboard;
    this.records = records;
    this.history = history;
  }

  /** Page of jobs that is being written; of one thread after another. */
  private static final class Page {
    private final List<JobRow> rows = new ArrayList<>();
    private final List<RowRef> written = new ArrayList<>();
    private final List<RowRef> refused = new ArrayList<>();
    private long size;

    boolean isFull() {
      return size > MOST_PAGE;
    }

    /**
     * Takes jobs in their order until the page is full; skips records that cannot be read.
     *
     * @param found what is stored of them
     * @return how many of them were looked at
     */
    int take(List<EndedJob> jobs, StoredActors found) {
      Map<ActorPath, StoredActor> actors = new HashMap<>();
      found.readable().forEach(actor -> actors.put(actor.path(), actor));
      int taken = 0;
      while (taken < jobs.size() && !isFull()) {
        EndedJob next = jobs.get(taken++);
        ActorPath path = path(next);
        String damage = found.unreadable().get(path);
        if (damage == null) {
          take(next, Optional.ofNullable(actors.get(path)));
        } else {
          refused.add(new RowRef(next.id(), next.version()));
          log.error("the record of ended job {} cannot be read and stays: {}", next.id(), damage);
        }
      }
      return taken;
    }

    private void take(EndedJob next, Optional<StoredActor> stored) {
      RowRef version = new RowRef(next.id(), next.version());
      JobData job;
      try {
        job = stored.flatMap(JobActor.Slot::of).map(JobActor.Slot::job).orElse(null);
      } catch (CodecException e) {
        refused.add(version);
        log.error("the record of ended job {} cannot be read and stays", next.id(), e);
        return;
      }
      if (job != null && job.version() < next.version()) {
        return; // what was read is behind what its node said: it is looked at again
      }
      if (job == null || !job.state().terminal()) { // it went, or runs again
        written.add(version);
      } else {
        JobRow row = JobRows.of(job);
        rows.add(row);
        size += row.body().length();
      }
    }
  }

  /**
   * Deletes the rows of deleted jobs, then writes the first page of jobs, in their order.
   *
   * @param deleted ids of deleted jobs
   * @return what was written, refused and deleted
   */
  Future<IndexCommand.Archived> write(List<EndedJob> jobs, List<String> deleted) {
    return clear(deleted)
        .compose(v -> read(jobs, 0, new Page()))
        .compose(
            page ->
                history
                    .write(page.rows)
                    .map(
                        bad -> {
                          for (JobRow row : page.rows) {
                            String why = bad.get(row.id());
                            RowRef version = new RowRef(row.id(), row.version());
                            if (why == null) {
                              page.written.add(version);
                            } else {
                              page.refused.add(version);
                              refused(row.id(), why);
                            }
                          }
                          return new IndexCommand.Archived(page.written, page.refused, deleted);
                        }));
  }

  private static void refused(String job, String why) {
    if (why.equals(EndedRefusal.DELETED)) {
      log.debug("job {} is not archived: {}", job, why);
    } else {
      log.error(
          "the archive's database refuses job {}, whose record stays in ZooKeeper: {}", job, why);
    }
  }

  /**
   * Reads records of jobs, some of them together, until they are enough. What they hold is decoded
   * on a worker thread: they may be large.
   *
   * @param from the first job that was not looked at
   */
  private Future<Page> read(List<EndedJob> jobs, int from, Page page) {
    if (from == jobs.size() || page.isFull()) {
      return Future.succeededFuture(page);
    }
    List<EndedJob> some = jobs.subList(from, Math.min(jobs.size(), from + Limits.PAGE_ACTORS));
    return records
        .apply(some.stream().map(RowWriter::path).toList())
        .compose(found -> callboard.vertx().executeBlocking(() -> page.take(some, found), false))
        .compose(taken -> read(jobs, from + taken, page));
  }

  private static ActorPath path(EndedJob job) {
    return ActorPath.of(JobActor.path(job.id()));
  }

  /**
   * Deletes the rows of deleted jobs; then their tombstones need not hide them any more. No row of
   * them is written later: this writer does one after another, and reads the record before it
   * writes; from one whose node has lost the role the database takes none.
   */
  private Future<Void> clear(List<String> deleted) {
    Future<Void> rest = Future.succeededFuture();
    for (String id : deleted) {
      rest = rest.compose(before -> history.delete(id)).compose(any -> release(id));
    }
    return rest;
  }

  /**
   * Reports to a deleted job that it has no row any more, if its tombstone waits for that. One that
   * cannot be read or informed keeps no other job from being archived: it goes by its age.
   */
  private Future<Void> release(String id) {
    ActorPath path = ActorPath.of(JobActor.path(id));
    return records
        .apply(List.of(path))
        .compose(found -> waits(id, path, found) ? rowGone(id) : Future.succeededFuture());
  }

  private static boolean waits(String id, ActorPath path, StoredActors found) {
    String damage = found.unreadable().get(path);
    try {
      if (damage == null) {
        return found.readable().stream()
            .flatMap(stored -> JobActor.Slot.of(stored).stream())
            .map(JobActor.Slot::deleted)
            .anyMatch(tombstone -> tombstone != null && tombstone.mayHaveRow());
      }
    } catch (CodecException e) {
      damage = String.valueOf(e.getMessage());
    }
    log.error("the tombstone of deleted job {} cannot be read and stays: {}", id, damage);
    return false;
  }

  private Future<Void> rowGone(String id) {
    return callboard
        .durableRef(JobActor.path(id), JobCommand.class)
        .tell(new JobCommand.RowGone())
        .recover(
            cause -> {
              log.warn(
                  "deleted job {} has no row any more, and takes no message that says so: its tombstone stays until it is too old: {}",
                  id,
                  cause.toString());
              return Future.succeededFuture();
            });
  }
}
