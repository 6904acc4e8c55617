package io.callboard.jobs.history;

import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.Tombstone;
import io.callboard.jobs.index.EndedJob;
import io.callboard.jobs.index.IndexCommand;
import io.callboard.jobs.index.RowRef;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.JobData;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of ended jobs to the database, a page after another. What is done is remembered by the
 * index of each job's node; a row that is there already stays as it is. One context.
 */
final class RowWriter {
  /** Size of the bodies from which a page takes no more jobs, in characters. */
  private static final int MOST_PAGE = 4 << 20;

  private static final Logger log = LoggerFactory.getLogger(RowWriter.class);

  private final Callboard callboard;
  private final JobHistory history;

  RowWriter(Callboard callboard, JobHistory history) {
    this.callboard = callboard;
    this.history = history;
  }

  /** Page of jobs that is being written. */
  private static final class Page {
    private final List<JobRow> rows = new ArrayList<>();
    private final List<RowRef> written = new ArrayList<>();
    private final List<RowRef> refused = new ArrayList<>();
    private int size;
  }

  /**
   * Writes jobs, and deletes the rows of deleted ones first; completes with what was done.
   *
   * @param deleted ids of deleted jobs
   */
  Future<IndexCommand.Archived> write(List<EndedJob> jobs, List<String> deleted) {
    return clear(deleted)
        .compose(v -> read(jobs.iterator(), new Page()))
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
                              log.error(
                                  "the archive's database refuses job {}, whose record stays in ZooKeeper: {}",
                                  row.id(),
                                  why);
                            }
                          }
                          return new IndexCommand.Archived(page.written, page.refused, deleted);
                        }));
  }

  /** Reads the records of a page, one after another, until they are enough. */
  private Future<Page> read(Iterator<EndedJob> jobs, Page page) {
    if (!jobs.hasNext() || page.size > MOST_PAGE) {
      return Future.succeededFuture(page);
    }
    EndedJob next = jobs.next();
    return callboard
        .admin()
        .stored(JobActor.path(next.id()))
        .compose(
            stored -> {
              JobData job;
              try {
                job = stored.flatMap(JobActor.Slot::of).map(JobActor.Slot::job).orElse(null);
              } catch (CodecException e) {
                page.refused.add(new RowRef(next.id(), next.version()));
                log.error("the record of ended job {} cannot be read and stays", next.id(), e);
                return read(jobs, page);
              }
              if (job == null || !job.state().terminal()) { // it went, or runs again
                page.written.add(new RowRef(next.id(), next.version()));
              } else {
                JobRow row = JobRows.of(job);
                page.rows.add(row);
                page.size += row.body().length();
              }
              return read(jobs, page);
            });
  }

  /**
   * Deletes the rows of deleted jobs; then their tombstones need not hide them any more. No row of
   * them is written later: this writer does one after another, and reads the record before it
   * writes.
   */
  private Future<Void> clear(List<String> deleted) {
    Future<Void> rest = Future.succeededFuture();
    for (String id : deleted) {
      rest = rest.compose(before -> history.delete(id)).compose(any -> release(id));
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
                        .flatMap(JobActor.Slot::of)
                        .map(JobActor.Slot::deleted)
                        .filter(Tombstone::mayHaveRow)
                        .isPresent()
                    ? callboard
                        .durableRef(JobActor.path(id), JobCommand.class)
                        .tell(new JobCommand.RowGone())
                    : Future.succeededFuture());
  }
}
