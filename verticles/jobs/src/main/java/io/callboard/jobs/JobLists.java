package io.callboard.jobs;

import io.callboard.jobs.history.ArchivedJobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists of jobs: those of the index and those of the database, merged by their ids. */
final class JobLists {
  private static final Pattern CURSOR =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final JobIndex index;
  private final ArchivedJobs archived;

  JobLists(JobIndex index, ArchivedJobs archived) {
    this.index = index;
    this.archived = archived;
  }

  /** Returns a page, without the jobs of the database if that does not answer. */
  Future<JobPage> page(JobQuery query) {
    String cursor = query.cursor();
    if (cursor != null && !CURSOR.matcher(cursor).matches()) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID, "/cursor", "\"%s\" is not a cursor of this list".formatted(cursor)));
    }
    return page(query, query, List.of());
  }

  /**
   * Returns the page of {@code asked}.
   *
   * @param rest what is still to be read of it
   * @param before jobs of the page that come before the rest
   */
  private Future<JobPage> page(JobQuery asked, JobQuery rest, List<Job> before) {
    return archived
        .page(rest, asked.limit() + 1) // one more tells whether there is a next page
        .map(rows -> new Rows(rows, false))
        .otherwise(cause -> new Rows(List.of(), true))
        .compose(rows -> merged(asked, rest, before, rows));
  }

  /**
   * Rows of the database.
   *
   * @param jobs the rows, in the order of the list
   * @param missing whether the database did not answer
   */
  private record Rows(List<Job> jobs, boolean missing) {}

  /**
   * Merges rows with the index. A job that has a record is listed as that says, whatever its row
   * says. Behind the last of a full page of rows others may follow, so jobs behind it have to wait.
   */
  private Future<JobPage> merged(JobQuery asked, JobQuery rest, List<Job> before, Rows rows) {
    Comparator<Job> byId = Comparator.comparing(Job::id);
    Comparator<Job> order = asked.ascending() ? byId : byId.reversed();
    Job horizon =
        rows.jobs().size() > asked.limit() ? rows.jobs().get(rows.jobs().size() - 1) : null;
    List<Job> all = new ArrayList<>(before);
    Stream.concat(
            index.list(rest, asked.limit() + 1).stream(),
            rows.jobs().stream().filter(row -> !index.knows(row.id())))
        .filter(job -> horizon == null || order.compare(job, horizon) <= 0)
        .sorted(order)
        .forEach(all::add);
    if (all.size() > asked.limit()) {
      List<Job> items = List.copyOf(all.subList(0, asked.limit()));
      return Future.succeededFuture(
          new JobPage(items, items.get(items.size() - 1).id(), rows.missing()));
    } else if (horizon == null) {
      return Future.succeededFuture(new JobPage(all, null, rows.missing()));
    }
    return page(asked, asked.from(horizon.id()), all);
  }
}
