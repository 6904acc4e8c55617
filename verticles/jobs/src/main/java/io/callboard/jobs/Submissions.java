package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.jobs.JobException.Code;
import io.vertx.core.Future;
import java.time.Clock;
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
        .compose(
            known -> {
              if (idempotencyKey != null) {
                return claim("idempotency", idempotencyKey, id, spec, false);
              } else if (spec.uniqueKey() != null) {
                return claim("unique", spec.uniqueKey(), id, spec, true);
              }
              return create(id, spec, false);
            });
  }

  /** Types are never removed: one that was there once need not be asked for again. */
  private Future<Void> checkType(String name) {
    if (knownTypes.contains(name)) {
      return Future.succeededFuture();
    }
    return jobs.type(name).onSuccess(type -> knownTypes.add(type.name())).mapEmpty();
  }

  private Future<Submission> create(String id, JobSpec spec, boolean existing) {
    return jobs.ask(id, new JobCommand.Submit(id, spec, clock.instant()))
        .map(job -> new Submission(job, existing));
  }

  /** Submits under a key; a job that holds it already is returned instead. */
  private Future<Submission> claim(
      String kind, String key, String id, JobSpec spec, boolean untilDone) {
    ActorRef<JobKey.Claim> keeper =
        callboard.durableRef(JobKey.path(kind, key), JobKey.Claim.class);
    return keeper
        .ask(new JobKey.Claim(id, null), JobKey.Holder.class, Jobs.ASK)
        .recover(Jobs::translate)
        .compose(holder -> held(keeper, String.valueOf(holder.job()), id, spec, untilDone));
  }

  private Future<Submission> held(
      ActorRef<JobKey.Claim> keeper, String holder, String id, JobSpec spec, boolean untilDone) {
    if (holder.equals(id)) {
      return create(id, spec, false);
    }
    return jobs.ask(holder, new JobCommand.Look())
        .compose(
            job -> {
              if (!untilDone || !job.state().terminal()) {
                return Future.succeededFuture(new Submission(job, true));
              }
              return keeper
                  .ask(new JobKey.Claim(id, holder), JobKey.Holder.class, Jobs.ASK)
                  .recover(Jobs::translate)
                  .compose(next -> held(keeper, String.valueOf(next.job()), id, spec, untilDone));
            },
            cause ->
                cause instanceof JobException e && e.code() == Code.NOT_FOUND
                    ? create(holder, spec, false)
                    : Future.failedFuture(cause));
  }
}
