package io.callboard.dashboard.attention;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Facts of jobs. Single jobs are looked up only of types whose gate is shut. */
final class JobLookup {
  /** Maximum number of jobs of a list, and of dead jobs that are looked at. */
  private static final int MOST = 200;

  /** Maximum number of types of which single jobs are looked up at a time. */
  private static final int MOST_TYPES = 20;

  private static final Set<JobState> TAKES_SLOT =
      EnumSet.of(
          JobState.ADMITTED,
          JobState.RUNNING,
          JobState.STALLED,
          JobState.SUSPECT,
          JobState.CANCELLING);

  private final Jobs jobs;
  private final Clock clock;

  JobLookup(Jobs jobs, Clock clock) {
    this.jobs = jobs;
    this.clock = clock;
  }

  /** Completes with the types. */
  Future<List<TypeLoad>> types() {
    return jobs.types()
        .compose(
            types -> {
              Map<String, Map<JobState, Long>> counts = jobs.counts().byType();
              List<TypeLoad> loads =
                  types.stream()
                      .map(type -> load(type, counts.getOrDefault(type.name(), Map.of())))
                      .toList();
              return detailed(loads);
            });
  }

  private static TypeLoad load(JobType type, Map<JobState, Long> counts) {
    long running = TAKES_SLOT.stream().mapToLong(state -> counts.getOrDefault(state, 0L)).sum();
    return new TypeLoad(
        type.name(),
        type.limit(),
        type.paused(),
        running,
        counts.getOrDefault(JobState.QUEUED, 0L),
        null,
        null,
        null);
  }

  private Future<List<TypeLoad>> detailed(List<TypeLoad> loads) {
    List<Future<TypeLoad>> shut =
        loads.stream().filter(TypeLoad::isShut).limit(MOST_TYPES).map(this::detailed).toList();
    Stream<TypeLoad> rest = loads.stream().filter(load -> !load.isShut());
    Stream<TypeLoad> beyond = loads.stream().filter(TypeLoad::isShut).skip(MOST_TYPES);
    return Future.all(shut)
        .map(
            all ->
                Stream.of(shut.stream().map(Future::result), beyond, rest)
                    .flatMap(each -> each)
                    .toList());
  }

  private Future<TypeLoad> detailed(TypeLoad load) {
    Future<List<Job>> first = list(load.name(), JobState.QUEUED, true, 1);
    Future<List<Job>> running =
        load.paused()
            ? Future.succeededFuture(List.of())
            : list(load.name(), JobState.RUNNING, true, MOST);
    return Future.all(first, running)
        .map(
            both -> {
              Job longest =
                  running.result().stream()
                      .filter(job -> job.startedAt() != null)
                      .min(Comparator.comparing(JobLookup::started))
                      .orElse(null);
              return new TypeLoad(
                  load.name(),
                  load.limit(),
                  load.paused(),
                  load.running(),
                  load.queued(),
                  first.result().stream().findFirst().map(JobLookup::queuedSince).orElse(null),
                  longest == null ? null : longest.id(),
                  longest == null ? null : longest.startedAt());
            });
  }

  private static Instant started(Job job) {
    Instant at = job.startedAt();
    return at == null ? Instant.MAX : at;
  }

  /** Returns since when a job waits: its submission, or the end of its last run. */
  private static Instant queuedSince(Job job) {
    JobRun run = job.runs().isEmpty() ? null : job.runs().get(job.runs().size() - 1);
    Instant ended = run == null ? null : run.endedAt();
    return ended == null || ended.isBefore(job.createdAt()) ? job.createdAt() : ended;
  }

  private Future<List<Job>> list(
      @Nullable String type, JobState state, boolean ascending, int limit) {
    return jobs.list(new JobQuery(type, state, null, null, null, ascending, limit, null))
        .map(page -> page.items());
  }

  /** Completes with the dead jobs that ended lately, among the {@value #MOST} newest. */
  Future<List<DeadJob>> dead() {
    if (jobs.counts().byState().getOrDefault(JobState.DEAD, 0L) == 0) {
      return Future.succeededFuture(List.of());
    }
    Instant from = clock.instant().minus(WorkTroubles.RECENT);
    return list(null, JobState.DEAD, false, MOST)
        .map(
            dead ->
                dead.stream()
                    .filter(job -> job.endedAt() != null && job.endedAt().isAfter(from))
                    .map(JobLookup::dead)
                    .toList());
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
