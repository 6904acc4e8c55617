package io.callboard.jobs.history;

import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.Tombstone;
import io.callboard.jobs.history.EndedJobs.Ended;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.JobData;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of ended jobs to the database, a page after another. It remembers in memory which versions
 * are there, so it begins with all ended jobs; a row that is there already stays as it is. One
 * context.
 */
final class RowWriter {
  /** Size of the bodies from which a page takes no more jobs, in characters. */
  private static final int MOST_PAGE = 4 << 20;

  /** Maximum number of deleted jobs of one pass whose rows are deleted. */
  private static final int MOST_CLEARED = 20;

  private static final Logger log = LoggerFactory.getLogger(RowWriter.class);

  private final Callboard callboard;
  private final EndedJobs ended;
  private final JobHistory history;
  private final Predicate<String> deleted;
  private final Supplier<List<String>> deletedJobs;

  /** Deleted jobs whose rows are certainly gone: their nodes may have died before. */
  private final Set<String> cleared = new HashSet<>();

  /** Versions that need not be written any more, by job. */
  private final Map<String, Long> done = new HashMap<>();

  /** Versions of jobs that the database refuses, which stay where they are. */
  private final Map<String, Long> refused = new HashMap<>();

  /**
   * Creates the writer.
   *
   * @param deleted whether a job is known to have been deleted
   * @param deletedJobs ids of the jobs that are known to have been deleted
   */
  RowWriter(
      Callboard callboard,
      EndedJobs ended,
      JobHistory history,
      Predicate<String> deleted,
      Supplier<List<String>> deletedJobs) {
    this.callboard = callboard;
    this.ended = ended;
    this.history = history;
    this.deleted = deleted;
    this.deletedJobs = deletedJobs;
  }

  /** Returns whether the database has that version of the job, or a newer one. */
  boolean has(Ended job) {
    return isAt(done, job);
  }

  private boolean isWaiting(Ended job) {
    return !isAt(done, job) && !isAt(refused, job);
  }

  private static boolean isAt(Map<String, Long> versions, Ended job) {
    return versions.getOrDefault(job.id(), -1L) >= job.version();
  }

  /** Returns the number of jobs that are to be written. */
  int waiting() {
    return ended.count(this::isWaiting);
  }

  /**
   * Writes the oldest jobs that the database does not have.
   *
   * @return the number of those that were looked at; 0 if there are none
   */
  Future<Integer> page(int most) {
    List<Ended> page = ended.oldest(most, this::isWaiting);
    return read(page.iterator(), new ArrayList<>(), 0)
        .compose(rows -> history.write(rows).map(bad -> written(rows, bad)))
        .map(page.size());
  }

  private boolean written(List<JobRow> rows, Map<String, String> bad) {
    for (JobRow row : rows) {
      String why = bad.get(row.id());
      if (why == null) {
        done.put(row.id(), row.version());
      } else {
        refused.put(row.id(), row.version());
        log.error(
            "the archive's database refuses job {}, whose record stays in ZooKeeper: {}",
            row.id(),
            why);
      }
    }
    return bad.isEmpty();
  }

  /** Reads the records of a page, one after another, until they are enough. */
  private Future<List<JobRow>> read(Iterator<Ended> page, List<JobRow> rows, int size) {
    if (!page.hasNext() || size > MOST_PAGE) {
      return Future.succeededFuture(rows);
    }
    Ended next = page.next();
    return callboard
        .admin()
        .stored(JobActor.path(next.id()))
        .compose(
            stored -> {
              JobData job;
              try {
                job =
                    stored
                        .flatMap(actor -> actor.record().state(JobActor.Slot.class))
                        .map(JobActor.Slot::job)
                        .orElse(null);
              } catch (CodecException e) {
                refused.put(next.id(), next.version());
                log.error("the record of ended job {} cannot be read and stays", next.id(), e);
                return Future.succeededFuture(size);
              }
              if (job == null || !job.state().terminal()) {
                done.put(next.id(), next.version()); // it went, or runs again
                return Future.succeededFuture(size);
              }
              JobRow row = JobRows.of(job);
              rows.add(row);
              return Future.succeededFuture(size + row.body().length());
            })
        .compose(now -> read(page, rows, now));
  }

  /**
   * Deletes the rows of some deleted jobs for which that has not been done yet; then their
   * tombstones need not hide them any more. No row of them is written later: this writer does one
   * after another, and reads the record before it writes.
   */
  Future<Void> clear() {
    List<String> known = deletedJobs.get();
    cleared.retainAll(Set.copyOf(known));
    Future<Void> rest = Future.succeededFuture();
    for (String id :
        known.stream().filter(id -> !cleared.contains(id)).limit(MOST_CLEARED).toList()) {
      rest =
          rest.compose(before -> history.delete(id))
              .compose(any -> release(id))
              .onSuccess(v -> cleared.add(id));
    }
    return rest;
  }

  /** Reports to a deleted job that it has no row any more, if its tombstone waits for that. */
  private Future<Void> release(String id) {
    return callboard
        .admin()
        .stored(JobActor.path(id))
        .compose(
            stored ->
                stored
                        .flatMap(actor -> actor.record().state(JobActor.Slot.class))
                        .map(JobActor.Slot::deleted)
                        .filter(Tombstone::mayHaveRow)
                        .isPresent()
                    ? callboard
                        .durableRef(JobActor.path(id), JobCommand.class)
                        .tell(new JobCommand.RowGone())
                    : Future.succeededFuture());
  }

  /**
   * Forgets jobs that have no record any more; of those that were deleted meanwhile it deletes the
   * rows, which may have been written after the deletion.
   */
  Future<Void> forget() {
    refused.keySet().removeIf(id -> !ended.contains(id));
    List<String> gone = done.keySet().stream().filter(id -> !ended.contains(id)).toList();
    Future<Void> rest = Future.succeededFuture();
    for (String id : gone) {
      rest =
          rest.compose(
              before -> {
                Future<Boolean> row =
                    deleted.test(id) ? history.delete(id) : Future.succeededFuture(false);
                return row.map(
                    any -> {
                      done.remove(id);
                      return null;
                    });
              });
    }
    return rest;
  }
}
