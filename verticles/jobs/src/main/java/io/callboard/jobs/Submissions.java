package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.archiving.ArchivedJobs;
import io.callboard.jobs.internal.index.CellTally;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.Submission;
import io.callboard.jobs.model.TypeView;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Intake of submissions: checks limits and types, and accepts each key once. */
final class Submissions {
  private final JobClient jobs;
  private final ArchivedJobs archived;
  private final Callboard callboard;
  private final CellTally tally;
  private final int queueLimit;
  private final JobIds ids;
  private final Clock clock;
  private final Handlers handlers;
  private final KnownTypes types;

  /**
   * Job that is to be submitted.
   *
   * @param message digest of the message that is compared under an idempotency key instead of the
   *     specification; null for none
   * @param listener durable actor that is told of the job's ends; null for none
   */
  private record Wanted(
      JobSpec spec, @Nullable String message, @Nullable ActorRef<JobEnded> listener) {
    /**
     * Returns whether a key is held by another request. A message is compared with a message only:
     * an older node noted its specification alone.
     */
    boolean differs(JobKey.Holder holder) {
      return message == null && holder.message() == null
          ? holder.request() != null && !holder.request().equals(spec.fingerprint())
          : message != null && holder.message() != null && !message.equals(holder.message());
    }
  }

  /**
   * Job of a submission.
   *
   * @param existing whether it was found by a key
   */
  private record Found(JobData job, boolean existing) {
    /** Returns the result of a submission with that listener. */
    Submission submission(@Nullable ActorRef<JobEnded> listener) {
      return new Submission(
          job.detail(), existing, listener != null && listener.equals(job.listener()));
    }
  }

  Submissions(
      JobClient jobs,
      ArchivedJobs archived,
      GateClient gate,
      Callboard callboard,
      CellTally tally,
      Handlers handlers,
      int queueLimit,
      JobIds ids,
      Clock clock) {
    this.jobs = jobs;
    this.archived = archived;
    this.callboard = callboard;
    this.tally = tally;
    this.queueLimit = queueLimit;
    this.ids = ids;
    this.clock = clock;
    this.handlers = handlers;
    this.types = new KnownTypes(callboard.vertx(), name -> gate.view(name).map(TypeView::type));
  }

  /**
   * Submits a job.
   *
   * @param idempotencyKey key of the request; null for none
   * @param message digest of the message that is identified by the key; null if it is the
   *     specification
   * @param listener durable actor that is told of the job's ends; null for none
   * @param owner who has given the keys
   */
  Future<Submission> submit(
      JobSpec spec,
      @Nullable String idempotencyKey,
      @Nullable String message,
      @Nullable ActorRef<JobEnded> listener,
      KeyOwner owner) {
    Optional<String> reserved =
        owner
            .refusal("unique", spec.uniqueKey())
            .or(() -> owner.refusal("idempotency", idempotencyKey));
    if (reserved.isPresent()) {
      return JobFailures.fail(Code.INVALID, reserved.get());
    }
    if (listener != null && !listener.durable()) {
      return JobFailures.fail(
          Code.INVALID,
          "the actor to listener, %s, is volatile and could miss the end of the job: give the ref of a durable one"
              .formatted(listener.path()));
    }
    JobException fault =
        owner
            .fault(idempotencyKey)
            .map(why -> new JobException(Code.INVALID, why))
            .orElseGet(() -> SpecCheck.fault(spec, owner));
    JobException refusal = fault == null ? full() : fault;
    Wanted wanted = new Wanted(spec, message, listener);
    return (refusal == null
            ? find(wanted, idempotencyKey)
            : accepted(wanted, idempotencyKey, refusal))
        .map(found -> found.submission(listener));
  }

  private Future<Found> find(Wanted wanted, @Nullable String idempotencyKey) {
    String id = ids.next();
    return types
        .handler(wanted.spec().type())
        .compose(handler -> handlers.check(wanted.spec(), handler))
        .transform(
            checked ->
                checked.failed()
                    ? accepted(wanted, idempotencyKey, checked.cause())
                    : idempotencyKey == null
                        ? make(id, wanted, false)
                        : once(idempotencyKey, id, wanted));
  }

  /**
   * Returns the job of an earlier submission under a key of this one, which was accepted by other
   * rules or by a handler of another version; fails with the refusal if there is none.
   */
  private Future<Found> accepted(
      Wanted wanted, @Nullable String idempotencyKey, Throwable refusal) {
    return repeated(wanted, idempotencyKey)
        .compose(found -> orElse(found, () -> Future.failedFuture(refusal)));
  }

  /**
   * Returns why no more jobs are accepted; null if they are. What other nodes took in the last
   * second may be missing from the number.
   */
  private @Nullable JobException full() {
    return tally.waiting() < queueLimit
        ? null
        : new JobException(
            Code.OVERLOADED,
            "%d jobs are waiting already, which is the limit".formatted(queueLimit));
  }

  /**
   * Returns the result of an earlier submission under a key of this one, without claiming the key.
   */
  private Future<Optional<Found>> repeated(Wanted wanted, @Nullable String idempotencyKey) {
    return idempotencyKey == null
        ? repeated(wanted.spec())
        : holder(JobKey.IDEMPOTENCY, idempotencyKey)
            .compose(
                holder ->
                    holder.isEmpty()
                        ? repeated(wanted.spec())
                        : repeated(wanted, idempotencyKey, holder.get()));
  }

  private Future<Optional<Found>> repeated(Wanted wanted, String key, JobKey.Holder holder) {
    return isForgotten(holder)
        .compose(
            forgotten ->
                forgotten
                    ? repeated(wanted.spec())
                    : wanted.differs(holder) ? anotherRequest(key, holder) : there(holder));
  }

  /** Returns whether an idempotency key names its job no more, which ended long ago. */
  private Future<Boolean> isForgotten(JobKey.Holder holder) {
    Instant now = clock.instant();
    return !holder.mayBeOver(now)
        ? Future.succeededFuture(false)
        : there(holder)
            .compose(
                found ->
                    found
                        .map(it -> JobKey.isOver(it.job().endedAt(), now))
                        .map(Future::succeededFuture)
                        .orElseGet(
                            () -> jobs.isDeleted(String.valueOf(holder.job())).map(kept -> !kept)));
  }

  /** Returns the job of an idempotency key, if one was accepted by now. */
  Future<Optional<JobData>> accepted(String idempotencyKey) {
    return there(JobKey.IDEMPOTENCY, idempotencyKey).map(found -> found.map(Found::job));
  }

  private Future<Optional<Found>> repeated(JobSpec spec) {
    String key = spec.uniqueKey();
    return key == null ? Future.succeededFuture(Optional.empty()) : open(key);
  }

  private Future<Optional<Found>> open(String uniqueKey) {
    return there(JobKey.UNIQUE, uniqueKey)
        .map(found -> found.filter(it -> !it.job().state().terminal()));
  }

  /** Returns the job that holds a unique key, and has not ended. */
  Future<Optional<Job>> holder(String uniqueKey) {
    return open(uniqueKey).map(found -> found.map(it -> it.job().detail()));
  }

  private Future<Optional<JobKey.Holder>> holder(String kind, String key) {
    return callboard
        .admin()
        .stored(JobKey.path(kind, key))
        .map(stored -> stored.flatMap(actor -> actor.record().state(JobKey.Holder.class)))
        .map(holder -> holder.filter(it -> it.job() != null))
        .recover(JobFailures::translate);
  }

  private Future<Optional<Found>> there(String kind, String key) {
    return holder(kind, key)
        .compose(
            holder ->
                holder.isEmpty() ? Future.succeededFuture(Optional.empty()) : there(holder.get()));
  }

  private Future<Optional<Found>> there(JobKey.Holder holder) {
    String id = String.valueOf(holder.job());
    return jobs.stored(id)
        .map(job -> Optional.of(new Found(job, true)))
        .recover(
            cause -> JobFailures.isNotFound(cause) ? fromArchive(id) : Future.failedFuture(cause));
  }

  private Future<Optional<Found>> fromArchive(String id) {
    return archived.find(id).map(row -> row.map(job -> new Found(job, true)));
  }

  /** Checks that a type exists; as types are never removed, each is asked for only once. */
  private Future<Found> create(String id, Wanted wanted, boolean keyed) {
    return jobs.reported(
            id, new JobCommand.Submit(id, wanted.spec(), clock.instant(), keyed, wanted.listener()))
        .map(job -> new Found(job, false));
  }

  /** Submits a job under an idempotency key: a repeated submission returns the job of the first. */
  private Future<Found> once(String key, String id, Wanted wanted) {
    ActorRef<JobKey.Claim> keeper = keeper(JobKey.IDEMPOTENCY, key);
    return claim(keeper, id, null, null, wanted)
        .compose(
            holder ->
                isForgotten(holder)
                    .compose(
                        forgotten ->
                            forgotten
                                ? claim(keeper, id, holder.job(), holder.since(), wanted)
                                : Future.succeededFuture(holder)))
        .compose(
            holder -> {
              String job = String.valueOf(holder.job());
              if (job.equals(id)) {
                return makeUnder(keeper, id, wanted);
              } else if (wanted.differs(holder)) {
                return anotherRequest(key, holder);
              }
              return existing(job)
                  .compose(
                      there -> orElse(there, () -> makeUnder(keeper, job, wanted)),
                      cause -> isDeleted(cause) ? gone(key, job) : Future.failedFuture(cause));
            });
  }

  private static <T> Future<T> orElse(Optional<T> found, Supplier<Future<T>> other) {
    return found.map(Future::succeededFuture).orElseGet(other);
  }

  private static <T> Future<T> anotherRequest(String key, JobKey.Holder holder) {
    if (holder.message() != null) {
      return JobFailures.fail(
          Code.INVALID,
          "another message with the id \"%s\" was accepted as job %s, which has not ended, or within the last %d hours: give each message an id of its own"
              .formatted(key, holder.job(), JobKey.KEPT.toHours()));
    }
    return JobFailures.fail(
        Code.INVALID,
        "the Idempotency-Key \"%s\" was used with a different request, that of job %s, which has not ended, or within the last %d hours: use a new key for each request"
            .formatted(key, holder.job(), JobKey.KEPT.toHours()));
  }

  /** Returns the job of an idempotency key that has no record any more, and is not run again. */
  private Future<Found> gone(String key, String job) {
    return fromArchive(job).compose(row -> orElse(row, () -> deleted(key, job)));
  }

  private static <T> Future<T> deleted(String key, String job) {
    return JobFailures.fail(
        Code.ILLEGAL_STATE,
        "the Idempotency-Key \"%s\" is that of job %s, which was deleted: use another key for another job"
            .formatted(key, job));
  }

  /** Returns whether a job refused to be read because it is deleted, the only reason for that. */
  private static boolean isDeleted(Throwable cause) {
    return cause instanceof JobException e && e.code() == Code.ILLEGAL_STATE;
  }

  /**
   * Creates a job under an idempotency key, which records the outcome, also if that is the job that
   * holds the unique key.
   */
  private Future<Found> makeUnder(ActorRef<JobKey.Claim> keeper, String id, Wanted wanted) {
    return make(id, wanted, true)
        .compose(
            made ->
                made.job().id().equals(id)
                    ? Future.succeededFuture(made)
                    : claim(keeper, made.job().id(), id, null, wanted).map(made));
  }

  /** Creates a job, or returns the one that holds its unique key and has not ended. */
  private Future<Found> make(String id, Wanted wanted, boolean keyed) {
    String key = wanted.spec().uniqueKey();
    return key == null
        ? create(id, wanted, keyed)
        : unique(key, id, null, null, job -> create(job, wanted, true))
            .compose(holder -> orElse(holder, () -> create(id, wanted, true)));
  }

  /**
   * Takes the unique key again for a job that has ended and is to run again; refused if another job
   * that has not ended holds it. Called in the turn of the job in which it is to run again: whoever
   * looks at it meanwhile is answered after that turn.
   */
  Future<Void> claimAgain(JobData job) {
    String key = job.spec().uniqueKey();
    return key == null || !job.state().terminal()
        ? Future.succeededFuture()
        : unique(key, job.id(), job.id(), null, holder -> held(job.id(), key, holder))
            .compose(
                holder ->
                    holder.isEmpty()
                        ? Future.succeededFuture()
                        : held(job.id(), key, holder.get().job().id()));
  }

  private static <T> Future<T> held(String id, String key, String holder) {
    return JobFailures.fail(
        Code.ILLEGAL_STATE,
        "job %s cannot be run again: its uniqueKey \"%s\" is held by job %s, which has not ended"
            .formatted(id, key, holder));
  }

  /**
   * Claims a unique key for a job, instead of a holder that has ended or is deleted. Completes with
   * the job that holds it; empty if that is the one of the claim.
   *
   * @param ofClaim when {@code instead} has claimed it, as it was seen; null for any
   * @param missing returns a job that holds the key and does not exist yet
   */
  private Future<Optional<Found>> unique(
      String key,
      String id,
      @Nullable String instead,
      @Nullable Instant ofClaim,
      Function<String, Future<Found>> missing) {
    return claim(keeper(JobKey.UNIQUE, key), id, instead, ofClaim, null)
        .compose(
            holder -> {
              String job = String.valueOf(holder.job());
              return job.equals(id)
                  ? Future.succeededFuture(Optional.empty())
                  : existing(job)
                      .compose(
                          there ->
                              there.isPresent() && there.get().job().state().terminal()
                                  ? unique(key, id, job, holder.since(), missing)
                                  : orElse(there, () -> missing.apply(job)).map(Optional::of),
                          cause ->
                              isDeleted(cause)
                                  ? unique(key, id, job, holder.since(), missing)
                                  : Future.failedFuture(cause));
            });
  }

  private ActorRef<JobKey.Claim> keeper(String kind, String key) {
    return callboard.durableRef(JobKey.path(kind, key), JobKey.Claim.class);
  }

  /**
   * Claims a key.
   *
   * @param wanted noted of an idempotency key; null for a unique one
   */
  private Future<JobKey.Holder> claim(
      ActorRef<JobKey.Claim> keeper,
      String id,
      @Nullable String instead,
      @Nullable Instant ofClaim,
      @Nullable Wanted wanted) {
    String request = wanted == null ? null : wanted.spec().fingerprint();
    String message = wanted == null ? null : wanted.message();
    return keeper
        .ask(
            new JobKey.Claim(id, instead, request, message, clock.instant(), ofClaim),
            JobKey.Holder.class,
            Jobs.ASK)
        .recover(JobFailures::translate);
  }

  /**
   * Returns the job that holds a key; empty if the node that claimed the key has not created it
   * yet.
   */
  private Future<Optional<Found>> existing(String id) {
    return jobs.reported(id, new JobCommand.Look())
        .map(job -> Optional.of(new Found(job, true)))
        .recover(
            cause ->
                JobFailures.isNotFound(cause)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause));
  }
}
