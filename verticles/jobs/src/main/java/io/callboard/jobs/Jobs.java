package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.archiving.ArchivedJobs;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.index.CellIndex;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RunFigures;
import io.callboard.jobs.model.RunsListener;
import io.callboard.jobs.model.Submission;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.jobs.model.TypeView;
import io.callboard.part.NodePart;
import io.callboard.part.PartTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Job scheduler, as its users see it; one object on each node that takes part.
 *
 * <p>Built of actors that use only Callboard's public API: one per job, the {@link Gate}, a {@link
 * HostMonitor} per host. Methods return at once and may be called from any thread; futures fail
 * with {@link JobException}, of code {@code NOT_FOUND} if there is no job of the given id.
 */
public final class Jobs {
  /** Maximum number of tombstones of deleted jobs in the cell; further deletions are refused. */
  public static final int MOST_TOMBSTONES = 100_000;

  /** Time for which an idempotency key is kept after the end of its job. */
  public static final Duration KEYS_KEPT = JobKey.KEPT;

  static final Duration ASK = Duration.ofSeconds(10);

  private final JobsNode node;
  private final GateClient gate;
  private final Handlers handlers;
  private final Submissions submissions;
  private final JobActions actions;
  private final CellIndex index;
  private final JobLists lists;
  private final JobReasons reasons;
  private final JobLogs logs;

  private Jobs(Callboard callboard, JobsNode node) {
    this.node = node;
    this.gate = node.gate();
    this.handlers = node.handlers();
    this.submissions = node.submissions();
    this.actions = node.actions();
    this.index = node.index();
    this.lists = node.lists();
    this.reasons = node.reasons();
    this.logs = new JobLogs(callboard, this);
  }

  /** Returns the job scheduler as a part of a node, with the defaults. */
  public static NodePart<Jobs> part() {
    return part(JobsOptions.DEFAULT);
  }

  /**
   * Returns the job scheduler as a part of a node, which needs a data directory. With the part
   * {@link io.callboard.archive.CellArchive} its database gets the jobs that have ended.
   */
  public static NodePart<Jobs> part(JobsOptions options) {
    return new JobsPart(options, ArchivedJobs.PAUSE);
  }

  /**
   * Starts this node's part in the cell's scheduler: first kills what earlier boots of this node
   * left running and reports their unreported outcomes, then offers the node's slots.
   */
  static Future<Jobs> start(
      Callboard callboard,
      RunHome home,
      JobsOptions options,
      @Nullable JobHistory history,
      Duration listsPause) {
    return JobsNode.start(callboard, home, options, history, listsPause)
        .map(node -> new Jobs(callboard, node));
  }

  /**
   * Kills every run of this host; called instead of {@link #close} when the store is gone for good,
   * so that nothing can be reported. The next start of the node reports them lost.
   */
  public Future<Void> abandon() {
    return node.abandon();
  }

  /**
   * Offers a handler of jobs on this node with the defaults; see {@link #handle(String, Class,
   * HandlerOptions, JobHandler)}.
   */
  public <A> Future<Void> handle(String name, Class<A> args, JobHandler<A> handler) {
    return handle(name, args, HandlerOptions.DEFAULT, handler);
  }

  /**
   * Offers a handler of jobs on this node. Its first node in the cell makes a job type of its name,
   * of {@link io.callboard.jobs.model.RetryPolicy#HANDLERS ten attempts}; other types may name it,
   * too ({@link JobType#handler}). Jobs of it wait for a node that offers it.
   *
   * @param name 1 to 63 letters, digits and {@code - _ .}, the first a letter or digit
   * @param args class of the arguments, such as a record, which must be readable from JSON
   * @return completes when a scheduler of the cell knows that this node offers it, so that such
   *     jobs can be submitted; or, so that a worker can start before the nodes that schedule, when
   *     none has said so after 5 s, which are those of all handlers of this node together, with
   *     half a second for each at least: this node goes on to report it then, logs when a scheduler
   *     knows it, and until then a submission may fail with {@code NOT_FOUND} or {@code
   *     UNAVAILABLE}. Fails with {@code ILLEGAL_STATE} if the type of that name is another's, with
   *     {@code OVERLOADED} if there are as many types as there may be; the handler is offered no
   *     more then. What a scheduler refuses later is logged as an error, and needs attention as a
   *     trouble of this part
   * @throws IllegalArgumentException if the name is none, is offered on this node already, or this
   *     node has no such zone for code of the application
   * @throws io.callboard.codecs.CodecException if arguments of that class could not be read
   */
  public <A> Future<Void> handle(
      String name, Class<A> args, HandlerOptions options, JobHandler<A> handler) {
    return handlers.handle(name, args, options, handler);
  }

  /** See {@link JobsPart#troubles}. */
  List<PartTrouble> troubles() {
    return handlers.troubles();
  }

  /**
   * Submits a job of a handler with the defaults; see {@link JobSpec#handler} for others.
   *
   * @param type name of its type, which is the name of the handler unless another was made for it
   * @param args its arguments
   */
  public Future<Submission> submit(String type, Object args) {
    return submit(JobSpec.handler(type, args));
  }

  /** Submits a job without an idempotency key; see {@link #submit(JobSpec, String)}. */
  public Future<Submission> submit(JobSpec spec) {
    return submit(spec, null);
  }

  /**
   * Submits a job, which is durable when the future succeeds. Fails with {@code OVERLOADED} if the
   * queue has reached its limit, {@code NOT_FOUND} if there is no such type, {@code INVALID} if the
   * specification has more than {@link JobSpec#MOST_BYTES}, does not suit the runner of its type,
   * or has arguments that its handler cannot read, {@code UNAVAILABLE} if the outcome is unknown:
   * submit again with the same key.
   *
   * @param idempotencyKey identifies the request until 24 hours after the end of its job: a
   *     repeated submission returns the job of the first one; 1 to 200 characters of ASCII without
   *     blanks, as in a header; null for none
   */
  public Future<Submission> submit(JobSpec spec, @Nullable String idempotencyKey) {
    return submit(spec, idempotencyKey, null);
  }

  /**
   * Submits a job like {@link #submit(JobSpec, String)}, whose end is reported to a durable actor:
   * the job's own actor tells it {@link JobEnded} in the turn in which the job ends, so exactly
   * once per end, and once more for each rerun that ends.
   *
   * <p>Keys that begin with {@code workflow/} or {@code source/} are those of steps of workflows
   * and of messages of sources; here they are refused with {@code INVALID}.
   *
   * <p>The job tells the ref of the submission that created it, no other. So one that is found by a
   * key and was created with another ref, or with none, does not tell {@code listener}: {@link
   * Submission#notifies()} says so. A submission may be repeated under its idempotency key: it
   * finds the job also after its end, and there is one notice, told before. A unique key alone
   * finds only a job that has not ended; after the end the submission makes another job.
   *
   * @param idempotencyKey identifies the request until 24 hours after the end of its job; null for
   *     none
   * @param listener the actor; null for none. A volatile one is refused with {@code INVALID}
   */
  public Future<Submission> submit(
      JobSpec spec, @Nullable String idempotencyKey, @Nullable ActorRef<JobEnded> listener) {
    return submissions.submit(spec, idempotencyKey, null, listener, KeyOwner.USERS);
  }

  /**
   * Submits the job of a step for the engine of workflows, like {@link #submit(JobSpec, String,
   * ActorRef)}: its keys begin with {@code workflow/}.
   */
  public Future<Submission> submitStep(
      JobSpec spec, @Nullable String idempotencyKey, ActorRef<JobEnded> listener) {
    return submissions.submit(spec, idempotencyKey, null, listener, KeyOwner.STEPS);
  }

  /**
   * Submits the job of a message like {@link #submit(JobSpec, String, ActorRef)}. Under its key the
   * message is compared, and not the specification: that of a later submission may differ, as it is
   * made with a configuration, and the job is that of the first one.
   *
   * @param key identifies the message until 24 hours after the end of its job
   * @param digest digest of what the sender has sent; under the same key another one is refused
   *     with {@code INVALID}
   * @param listener as there
   */
  public Future<Submission> submitMessage(
      JobSpec spec, String key, String digest, @Nullable ActorRef<JobEnded> listener) {
    return submissions.submit(spec, key, digest, listener, KeyOwner.MESSAGES);
  }

  /** Returns the job that holds a unique key, which has not ended; empty if there is none. */
  public Future<Optional<Job>> holder(String uniqueKey) {
    return submissions.holder(uniqueKey);
  }

  /**
   * Returns the job that was accepted under an idempotency key by now; empty if none was, or if
   * that was forgotten since. A submission that is under way may be accepted later.
   */
  public Future<Optional<Job>> accepted(String idempotencyKey) {
    return submissions.accepted(idempotencyKey).map(found -> found.map(JobData::detail));
  }

  /**
   * Returns the last end of a job, as a submission's listener is notified of it; empty if the job
   * has not ended.
   */
  public Future<Optional<JobEnded>> ended(String id) {
    return actions
        .known(id)
        .map(job -> job.state().terminal() ? Optional.of(job.end()) : Optional.empty());
  }

  /** Returns the job, also one that is only in the database. */
  public Future<Job> job(String id) {
    return actions.known(id).map(JobData::detail);
  }

  /**
   * Returns a page of the jobs as the nodes know them, and of those in the database; fails with
   * {@code INVALID} for an invalid cursor.
   */
  public Future<JobPage> list(JobQuery query) {
    return lists.page(query);
  }

  /**
   * Cancels a job: one that waits ends at once, one that runs when no process of it is left. Fails
   * with {@code ILLEGAL_STATE} if it has ended otherwise.
   */
  public Future<Job> cancel(String id) {
    return actions.cancel(id);
  }

  /**
   * Queues a job that has ended once more; attempts and timeouts start over. Fails with {@code
   * ILLEGAL_STATE} if it has not ended, or if another one that has not holds its unique key.
   */
  public Future<Job> rerun(String id) {
    return actions.rerun(id);
  }

  /**
   * Keeps a job from running until it is released. Fails with {@code ILLEGAL_STATE} unless the job
   * is queued, scheduled or waits for a retry; a job that is held already stays so.
   */
  public Future<Job> hold(String id) {
    return actions.hold(id);
  }

  /** Releases a held job, which keeps its due time; {@code ILLEGAL_STATE} if it is not held. */
  public Future<Job> release(String id) {
    return actions.release(id);
  }

  /**
   * Deletes a job that has ended, with the files of its runs, on hosts that are away when they are
   * back; completes with the job as it was. Fails with {@code ILLEGAL_STATE} if it has not ended,
   * {@code OVERLOADED} if {@link #MOST_TOMBSTONES} tombstones are kept.
   */
  public Future<Job> delete(String id) {
    return actions.delete(id);
  }

  /** Returns all types. */
  public Future<List<JobType>> types() {
    return gate.types();
  }

  /**
   * Returns the load of each type at the gate; fails with {@code UNAVAILABLE} while an older node
   * runs the gate, and at once while the gate does not read its mailbox.
   */
  public Future<Map<TypeView, GateLoad>> loads() {
    return node.loads();
  }

  /** Returns a type; fails with {@code NOT_FOUND}, naming the types, if there is none. */
  public Future<JobType> type(String name) {
    return gate.view(name).map(TypeView::type);
  }

  /** Creates or changes a type. A lower limit kills no runs; it takes effect as they end. */
  public Future<JobType> putType(JobType type) {
    return putType(type, null);
  }

  /**
   * Creates or changes a type, unless it was changed meanwhile; then it fails with {@code
   * ILLEGAL_STATE}.
   *
   * @param expected the type as it was read; null for any
   */
  public Future<JobType> putType(JobType type, @Nullable JobType expected) {
    return gate.put(type, expected, null, null).map(TypeView::type);
  }

  /** Pauses a type: none of its jobs is started until it is resumed; runs under way go on. */
  public Future<JobType> pause(String type) {
    return gate.pause(type, true, null, null).map(TypeView::type);
  }

  /** Resumes a paused type. */
  public Future<JobType> resume(String type) {
    return gate.pause(type, false, null, null).map(TypeView::type);
  }

  /** Returns the types with their pauses, to be changed in the name of a user. */
  public TypeViews typeViews() {
    return new TypeViews(gate);
  }

  /** Returns the limits over all jobs that have a label. */
  public LabelLimits limits() {
    return new LabelLimits(gate);
  }

  /** Returns every reason why the job does not run; empty while it runs and its host reports it. */
  public Future<List<Blocked>> why(String id) {
    return explain(id).map(JobWhy::blockedBy);
  }

  /** Returns why a job is where it is: since when, for which reasons, and what changes that. */
  public Future<JobWhy> explain(String id) {
    return reasons.of(id);
  }

  /** Returns the last events of a job, at most 50, oldest first. */
  public Future<List<JobEvent>> events(String id) {
    return actions.known(id).map(JobData::events);
  }

  /** Returns the output of runs. */
  public JobLogs logs() {
    return logs;
  }

  /** Returns the hosts that have reported to the gate. */
  public Future<List<JobHost>> hosts() {
    return gate.hosts();
  }

  /** Returns the paths of the scheduler's own actors on this node, whether they run now or not. */
  public List<String> actors() {
    return node.actors();
  }

  /** Returns why the last start failed on this host; empty if it shows no sign of a fault. */
  public Optional<String> hostFault() {
    return node.hostFault();
  }

  /** Returns whether jobs that have ended are written to a database. */
  public boolean hasArchive() {
    return node.hasArchive();
  }

  /** Returns the progress of the archivist, if this node runs it. */
  public Optional<ArchiveStatus> archive() {
    return node.archive();
  }

  /**
   * Returns the numbers of jobs: those of this node's partitions, and those that the other nodes
   * have published, which are up to a second behind. Reads nothing.
   */
  public JobCounts counts() {
    return index.tally().counts();
  }

  /**
   * Returns the runs of the cell that are in trouble: how many, and the first ones. Those of the
   * other nodes' partitions are up to a second behind. Reads nothing.
   */
  public TroubledRuns troubledRuns() {
    return index.tally().troubledRuns();
  }

  /** Returns the figures of the runs of jobs whose partitions this node owns. Reads nothing. */
  public RunFigures runFigures() {
    return index.here().figures();
  }

  /**
   * Returns a number that grows when jobs of the cell may have changed, as far as this node has
   * heard: up to a second later.
   */
  public long revision() {
    return index.tally().revision();
  }

  /**
   * Calls {@code listener}, on any thread and about once a second, with the numbers of runs of the
   * cell that have started and ended since the last call; the result removes it.
   */
  public Runnable onRuns(RunsListener listener) {
    return index.tally().onRuns(listener);
  }

  /**
   * Stops taking runs, until this is closed, and waits for those under way.
   *
   * @param limit maximum time to wait; the wait ends at once if there are no runs
   * @param waiting called once with the number of runs, if there are any
   * @return completes with the number of runs that are left
   */
  public Future<Integer> drain(Duration limit, IntConsumer waiting) {
    return node.drain(limit, waiting);
  }

  /**
   * Closes this node's part in the scheduler. Runs that are left are killed, then reported lost, so
   * that they run again elsewhere or later. The node drains from then on, so that others take its
   * partitions while its index can still hand over what it knows of them: close the node next, or
   * let it take its share again ({@link io.callboard.cell.Leases#drain}).
   */
  public Future<Void> close() {
    return node.close();
  }
}
