package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.jobs.JobException.Code;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Takes submissions: within the limits, of types there are, and once for each key. */
final class Submissions {
  private final Jobs jobs;
  private final Callboard callboard;
  private final JobIndex index;
  private final int queueLimit;
  private final JobIds ids;
  private final Clock clock;
  private final Set<String> knownTypes = ConcurrentHashMap.newKeySet();

  Submissions(
      Jobs jobs, Callboard callboard, JobIndex index, int queueLimit, JobIds ids, Clock clock) {
    this.jobs = jobs;
    this.callboard = callboard;
    this.index = index;
    this.queueLimit = queueLimit;
    this.ids = ids;
    this.clock = clock;
  }

  Future<Submission> submit(JobSpec spec, @Nullable String idempotencyKey) {
    if (index.waiting() >= queueLimit) {
      return Jobs.fail(
          Code.OVERLOADED, "%d jobs wait already, no more are taken".formatted(queueLimit));
    }
    if (index.size() >= Jobs.MOST_JOBS) {
      return Jobs.fail(Code.OVERLOADED, "%d jobs are kept already".formatted(Jobs.MOST_JOBS));
    }
    String id = ids.next();
    return checkType(spec.type())
        .compose(known -> idempotencyKey == null ? make(id, spec) : once(idempotencyKey, id, spec));
  }

  /** Types are never removed: one that was there once need not be asked for again. */
  private Future<Void> checkType(String name) {
    if (knownTypes.contains(name)) {
      return Future.succeededFuture();
    }
    return jobs.type(name).onSuccess(type -> knownTypes.add(type.name())).mapEmpty();
  }

  private Future<Submission> create(String id, JobSpec spec) {
    return jobs.ask(id, new JobCommand.Submit(id, spec, clock.instant()))
        .map(job -> new Submission(job, false));
  }

  /** Submits under the key of a request: the same again is the job of the first. */
  private Future<Submission> once(String key, String id, JobSpec spec) {
    String request = spec.fingerprint();
    ActorRef<JobKey.Claim> keeper = keeper("idempotency", key);
    return claim(keeper, id, null, request)
        .compose(
            holder -> {
              String job = String.valueOf(holder.job());
              if (job.equals(id)) {
                return makeUnder(keeper, id, spec, request);
              } else if (holder.request() != null && !holder.request().equals(request)) {
                return Jobs.fail(
                    Code.INVALID,
                    "the Idempotency-Key \"%s\" came with another request within %d hours, that of job %s: use a key of its own for each"
                        .formatted(key, JobKey.KEPT.toHours(), job));
              }
              return existing(job)
                  .compose(
                      there ->
                          there
                              .map(Future::succeededFuture)
                              .orElseGet(() -> makeUnder(keeper, job, spec, request)));
            });
  }

  /** The key names what came of it, also if that is the job that holds a unique key. */
  private Future<Submission> makeUnder(
      ActorRef<JobKey.Claim> keeper, String id, JobSpec spec, String request) {
    return make(id, spec)
        .compose(
            made ->
                made.job().id().equals(id)
                    ? Future.succeededFuture(made)
                    : claim(keeper, made.job().id(), id, request).map(made));
  }

  /** Makes a job; or finds the one that holds its unique key and has not ended. */
  private Future<Submission> make(String id, JobSpec spec) {
    String key = spec.uniqueKey();
    return key == null ? create(id, spec) : unique(keeper("unique", key), id, null, spec);
  }

  private Future<Submission> unique(
      ActorRef<JobKey.Claim> keeper, String id, @Nullable String instead, JobSpec spec) {
    return claim(keeper, id, instead, null)
        .compose(
            holder -> {
              String job = String.valueOf(holder.job());
              return job.equals(id)
                  ? create(id, spec)
                  : existing(job)
                      .compose(
                          there -> {
                            if (there.isEmpty()) {
                              return create(job, spec);
                            }
                            return there.get().job().state().terminal()
                                ? unique(keeper, id, job, spec)
                                : Future.succeededFuture(there.get());
                          });
            });
  }

  private ActorRef<JobKey.Claim> keeper(String kind, String key) {
    return callboard.durableRef(JobKey.path(kind, key), JobKey.Claim.class);
  }

  private Future<JobKey.Holder> claim(
      ActorRef<JobKey.Claim> keeper,
      String id,
      @Nullable String instead,
      @Nullable String request) {
    return keeper
        .ask(new JobKey.Claim(id, instead, request, clock.instant()), JobKey.Holder.class, Jobs.ASK)
        .recover(Jobs::translate);
  }

  /** Empty if whoever claimed a key for it has not made it yet. */
  private Future<Optional<Submission>> existing(String id) {
    return jobs.ask(id, new JobCommand.Look())
        .map(job -> Optional.of(new Submission(job, true)))
        .recover(
            cause ->
                cause instanceof JobException e && e.code() == Code.NOT_FOUND
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause));
  }
}
