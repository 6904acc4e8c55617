package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.bulk.BulkScope.Reached;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Jobs as a kind of items for bulk actions. Thread-safe. */
public final class JobKind implements BulkKind<JobState, JobAction> {
  private final Jobs jobs;

  /** Creates the kind of a node. */
  public JobKind(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public String one() {
    return "job";
  }

  @Override
  public String many() {
    return "jobs";
  }

  @Override
  public List<String> fields() {
    return List.of("type", "state", "label", "q");
  }

  @Override
  public JobState state(String name) {
    return JobState.valueOf(name);
  }

  @Override
  public JobAction action(String word) {
    return JobAction.valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public Future<BulkPage<JobState>> page(
      JobAction action, BulkFilter filter, JobState state, int limit, @Nullable String cursor) {
    JobQuery query =
        new JobQuery(
            filter.field("type"),
            state,
            filter.field("label"),
            null,
            filter.field("q"),
            true,
            limit,
            cursor);
    return jobs.list(query)
        .map(
            page ->
                new BulkPage<>(
                    page.items().stream().map(JobKind::reached).toList(),
                    page.next(),
                    page.partial(),
                    page.missing()));
  }

  private static Reached<JobState> reached(Job job) {
    return new Reached<>(job.id(), job.createdAt(), job.state());
  }

  @Override
  public Future<Long> total() {
    return Future.succeededFuture(
        jobs.counts().byState().values().stream().mapToLong(Long::longValue).sum());
  }

  @Override
  public Future<JobState> stateOf(String id) {
    return jobs.job(id).map(Job::state);
  }

  @Override
  public Future<Void> act(JobAction action, String id) {
    return switch (action) {
      case CANCEL -> jobs.cancel(id).mapEmpty();
      case RERUN -> jobs.rerun(id).mapEmpty();
      case HOLD -> jobs.hold(id).mapEmpty();
      case RELEASE -> jobs.release(id).mapEmpty();
    };
  }
}
