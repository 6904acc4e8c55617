package io.callboard.dashboard.internal.search;

import io.callboard.dashboard.internal.attention.Listing;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.dashboard.internal.model.Partial;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Search for jobs and instances of workflows, in the cell and in the archives. */
final class WorkHits {
  private WorkHits() {}

  /**
   * Completes with the job of that id, then the newest jobs whose id, command or label contains the
   * term.
   */
  static Future<Listing<Hit>> jobs(Jobs jobs, SearchTerm wanted) {
    Future<Optional<Hit>> exact =
        wanted
            .id()
            .map(id -> jobs.job(id).map(job -> Optional.of(hit(job, wanted))))
            .orElseGet(() -> Future.succeededFuture(Optional.empty()))
            .recover(
                cause ->
                    cause instanceof JobException e && e.code() == JobException.Code.NOT_FOUND
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(cause));
    return Future.all(
            exact,
            jobs.list(
                new JobQuery(null, null, null, null, wanted.text(), false, wanted.limit(), null)))
        .map(
            all -> {
              JobPage page = all.resultAt(1);
              return merged(
                  exact.result(),
                  page.items().stream().map(job -> hit(job, wanted)).toList(),
                  page.next() != null,
                  page.partial() ? Partial.why(page.missing()) : null,
                  wanted);
            });
  }

  private static Hit hit(Job job, SearchTerm wanted) {
    return Hit.of(
        Kind.JOB,
        job.id(),
        String.join(" ", job.command()) + labels(job.labels()),
        job.state().name(),
        wanted);
  }

  /**
   * Completes with the instance of that id, then the newest instances whose id, name or label
   * contains the term.
   */
  static Future<Listing<Hit>> instances(Workflows workflows, SearchTerm wanted) {
    Future<Optional<Hit>> exact =
        wanted
            .id()
            .map(id -> workflows.instance(id).map(one -> Optional.of(hit(one, wanted))))
            .orElseGet(() -> Future.succeededFuture(Optional.empty()))
            .recover(
                cause ->
                    cause instanceof WorkflowException e
                            && e.code() == WorkflowException.Code.NOT_FOUND
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(cause));
    return Future.all(
            exact,
            workflows.list(
                new WorkflowQuery(
                    null, null, null, null, null, wanted.text(), false, wanted.limit(), null)))
        .map(
            all -> {
              WorkflowPage page = all.resultAt(1);
              return merged(
                  exact.result(),
                  page.items().stream().map(row -> hit(row, wanted)).toList(),
                  page.next() != null,
                  page.partial() ? Partial.why(page.missing()) : null,
                  wanted);
            });
  }

  private static Hit hit(Instance one, SearchTerm wanted) {
    return Hit.of(
        Kind.WORKFLOW,
        one.id(),
        one.definition() + labels(one.labels()),
        one.state().name(),
        wanted);
  }

  private static Hit hit(InstanceRow row, SearchTerm wanted) {
    return Hit.of(
        Kind.WORKFLOW,
        row.id(),
        row.definition() + labels(row.labels()),
        row.state().name(),
        wanted);
  }

  private static String labels(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> " · " + label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining());
  }

  private static Listing<Hit> merged(
      Optional<Hit> exact,
      List<Hit> others,
      boolean more,
      @Nullable String incomplete,
      SearchTerm wanted) {
    Map<String, Hit> all = new LinkedHashMap<>();
    exact.ifPresent(hit -> all.put(hit.subject().name(), hit));
    others.forEach(hit -> all.putIfAbsent(hit.subject().name(), hit));
    Listing<Hit> first = wanted.first(List.copyOf(all.values()), incomplete);
    return new Listing<>(first.items(), first.more() || more, incomplete);
  }
}
