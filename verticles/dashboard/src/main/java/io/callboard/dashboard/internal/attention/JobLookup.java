package io.callboard.dashboard.internal.attention;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.TypeView;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Facts of jobs. */
final class JobLookup {
  /** Maximum number of dead jobs that are looked at. */
  private static final int MOST = 200;

  /** Maximum number of types of which it is asked why a job waits. */
  private static final int MOST_TYPES = 20;

  private final Jobs jobs;
  private final Clock clock;

  JobLookup(Jobs jobs, Clock clock) {
    this.jobs = jobs;
    this.clock = clock;
  }

  /**
   * Completes with the types, and for those whose jobs wait long although their gate is open, with
   * the reason.
   */
  Future<Listing<TypeLoad>> types() {
    return jobs.loads().compose(loads -> explained(loads, clock.instant(), jobs::explain));
  }

  /**
   * Completes with the types.
   *
   * @param why explains why a job waits
   */
  static Future<Listing<TypeLoad>> explained(
      Map<TypeView, GateLoad> loads, Instant now, Function<String, Future<JobWhy>> why) {
    List<TypeLoad> all =
        loads.entrySet().stream()
            .map(each -> new TypeLoad(each.getKey(), each.getValue(), List.of()))
            .toList();
    List<TypeLoad> slow =
        all.stream()
            .filter(each -> !each.isShut() && each.load().oldest() != null)
            .filter(each -> JobTroubles.isLong(each.load().oldestSince(), now))
            .sorted(Comparator.comparing(JobLookup::waitsSince))
            .toList();
    Queue<String> unknown = new ConcurrentLinkedQueue<>();
    if (slow.size() > MOST_TYPES) {
      unknown.add(
          "jobs of %d types wait long, and of %d it was asked why"
              .formatted(slow.size(), MOST_TYPES));
    }
    List<Future<TypeLoad>> asked =
        slow.stream().limit(MOST_TYPES).map(each -> explained(each, why, unknown)).toList();
    return Future.all(asked)
        .map(
            done ->
                new Listing<>(
                    Stream.concat(
                            asked.stream().map(Future::result),
                            all.stream()
                                .filter(each -> !slow.subList(0, asked.size()).contains(each)))
                        .toList(),
                    false,
                    unknown.isEmpty() ? null : String.join("; ", unknown)));
  }

  private static Instant waitsSince(TypeLoad of) {
    Instant since = of.load().oldestSince();
    return since == null ? Instant.MIN : since;
  }

  /** Asks about the oldest job; one whose record is damaged hides no type. */
  private static Future<TypeLoad> explained(
      TypeLoad of, Function<String, Future<JobWhy>> why, Queue<String> unknown) {
    return why.apply(Objects.requireNonNull(of.load().oldest()))
        .map(known -> new TypeLoad(of.view(), of.load(), known.blockedBy()))
        .recover(
            cause -> {
              if (cause instanceof JobException e && e.code() == JobException.Code.NOT_FOUND) {
                return Future.succeededFuture(of); // it has gone meanwhile
              } else if (!StoreException.isDamage(cause)) {
                return Future.failedFuture(cause);
              }
              unknown.add(String.valueOf(cause.getMessage()));
              return Future.succeededFuture(of);
            });
  }

  /** Completes with the dead jobs that ended lately, at most {@value #MOST}. */
  Future<Listing<DeadJob>> dead() {
    Instant from = clock.instant().minus(JobTroubles.RECENT);
    return jobs.list(new JobQuery(null, JobState.DEAD, null, null, null, false, MOST, null, from))
        .map(
            page ->
                new Listing<>(
                    page.items().stream().map(JobLookup::dead).toList(),
                    page.next() != null,
                    incomplete(page)));
  }

  private static @Nullable String incomplete(JobPage page) {
    if (!page.partial()) {
      return null;
    }
    return page.missing().isEmpty()
        ? "the archive's database does not answer, or a node still reads its jobs"
        : "no answer from " + String.join(", ", page.missing());
  }

  private static DeadJob dead(Job job) {
    JobRun run = job.runs().isEmpty() ? null : job.runs().get(job.runs().size() - 1);
    String error = job.error() != null ? job.error() : run == null ? null : run.error();
    Instant at = job.endedAt();
    return new DeadJob(
        job.id(),
        job.type(),
        error == null ? "its cause is not known" : error,
        at == null ? job.createdAt() : at);
  }
}
