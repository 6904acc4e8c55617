package io.callboard.jobs;

import io.callboard.archive.internal.ended.EndedPage;
import io.callboard.jobs.internal.archiving.ArchivedJobs;
import io.callboard.jobs.internal.index.CellIndex;
import io.callboard.jobs.internal.index.CellPage;
import io.callboard.jobs.internal.index.RowRef;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists of jobs: those of the indexes of all nodes and those of the database, merged by their ids;
 * then the records of the page are read.
 */
final class JobLists {
  private static final Pattern CURSOR =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final CellIndex index;
  private final ArchivedJobs archived;

  JobLists(CellIndex index, ArchivedJobs archived) {
    this.index = index;
    this.archived = archived;
  }

  /** Returns a page, without the jobs of the database or of nodes that do not answer. */
  Future<JobPage> page(JobQuery query) {
    String cursor = query.cursor();
    if (cursor != null && !CURSOR.matcher(cursor).matches()) {
      return Future.failedFuture(
          new JobException(
              Code.INVALID, "/cursor", "\"%s\" is not a cursor of this list".formatted(cursor)));
    }
    return page(query, query, new Gathered(List.of(), false, List.of()))
        .onSuccess(
            page -> {
              if (page.partial()) {
                index.tally().incomplete();
              }
            });
  }

  /**
   * Job of a list.
   *
   * @param ref its id and version; the version of a row counts for nothing
   * @param row its row in the database; null if there is none, or it was not looked for
   * @param live whether a node has a record of it
   */
  private record Entry(RowRef ref, @Nullable Job row, boolean live) {
    String id() {
      return ref.id();
    }
  }

  /**
   * Rows of a page, as far as they are known.
   *
   * @param entries its jobs so far, in the order of the list
   * @param partial whether others may be missing
   * @param missing nodes that gave no answer
   */
  private record Gathered(List<Entry> entries, boolean partial, List<String> missing) {}

  /**
   * Returns the page of {@code asked}.
   *
   * @param rest what is still to be read of it
   * @param before what comes before the rest
   */
  private Future<JobPage> page(JobQuery asked, JobQuery rest, Gathered before) {
    return archived
        .page(rest, asked.limit() + 1) // one more tells whether there is a next page
        .compose(
            rows ->
                index
                    .peers()
                    .page(rest, asked.limit() + 1, rows.rows().stream().map(Job::id).toList())
                    .compose(live -> merged(asked, before, rows, live)));
  }

  /**
   * Merges rows with the indexes. A job that has a record is listed as that says, whatever its row
   * says. Behind the last of a full page of rows others may follow, so jobs behind it have to wait.
   */
  private Future<JobPage> merged(
      JobQuery asked, Gathered before, EndedPage<Job> rows, CellPage live) {
    Comparator<String> order =
        asked.ascending() ? Comparator.naturalOrder() : Comparator.reverseOrder();
    String horizon = rows.more() ? rows.rows().get(rows.rows().size() - 1).id() : null;
    Map<String, Job> byId =
        rows.rows().stream().collect(Collectors.toMap(Job::id, Function.identity()));
    List<Entry> all = new ArrayList<>(before.entries());
    Stream.concat(
            live.rows().stream().map(ref -> new Entry(ref, byId.get(ref.id()), true)),
            rows.rows().stream()
                .filter(row -> !live.known().contains(row.id()))
                .map(row -> new Entry(new RowRef(row.id(), 0), row, false)))
        .collect(Collectors.toMap(Entry::id, Function.identity(), (one, other) -> one))
        .values()
        .stream()
        .filter(entry -> horizon == null || order.compare(entry.id(), horizon) <= 0)
        .sorted(Comparator.comparing(Entry::id, order))
        .forEach(all::add);
    boolean partial = before.partial() || rows.missing() || !live.complete();
    List<String> missing =
        Stream.concat(before.missing().stream(), live.missing().stream())
            .distinct()
            .sorted()
            .toList();
    if (all.size() > asked.limit()) {
      Gathered page = new Gathered(all.subList(0, asked.limit()), partial, missing);
      return read(asked, page, page.entries().get(asked.limit() - 1).id());
    }
    Gathered whole = new Gathered(all, partial, missing);
    return horizon == null ? read(asked, whole, null) : page(asked, asked.from(horizon), whole);
  }

  /** Reads the records of a page. A job that is not of the list any more is left out. */
  private Future<JobPage> read(JobQuery asked, Gathered page, @Nullable String next) {
    return index
        .views()
        .read(page.entries().stream().filter(Entry::live).map(Entry::ref).toList())
        .recover(JobFailures::translate)
        .map(
            jobs ->
                new JobPage(
                    page.entries().stream()
                        .map(entry -> jobs.getOrDefault(entry.id(), entry.row()))
                        .filter(Objects::nonNull)
                        .filter(job -> isAsked(asked, job))
                        .toList(),
                    next,
                    page.partial(),
                    page.missing()));
  }

  /** Returns whether a record is of the list: it may be newer than the row that was. */
  private static boolean isAsked(JobQuery asked, Job job) {
    Instant after = asked.endedAfter();
    Instant ended = job.endedAt();
    return (asked.state() == null || asked.state() == job.state())
        && (after == null || (ended != null && ended.isAfter(after)));
  }
}
