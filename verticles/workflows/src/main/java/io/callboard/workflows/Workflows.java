package io.callboard.workflows;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.archive.WorkflowHistory;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.part.NodePart;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.PlacedDefect;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.DefinitionNames;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.InstanceEnvironment;
import io.callboard.workflows.internal.actor.InstanceKey;
import io.callboard.workflows.internal.actor.InstanceLives;
import io.callboard.workflows.internal.actor.StepJobs;
import io.callboard.workflows.internal.actor.StepRequests;
import io.callboard.workflows.internal.actor.StepScheduler;
import io.callboard.workflows.internal.archiving.ArchivedInstance;
import io.callboard.workflows.internal.archiving.ArchivedInstances;
import io.callboard.workflows.internal.archiving.InstanceArchive;
import io.callboard.workflows.internal.index.CellInstances;
import io.callboard.workflows.internal.instance.InstanceMachine;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.retention.EndedArchive;
import io.callboard.workflows.internal.retention.InstanceSweep;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.DefinitionVersions;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceArchiveStatus;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.InvalidWorkflow;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.StartedInstance;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowsOptions;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Workflow engine, as its users see it; one object on each node that takes part.
 *
 * <p>Built of actors that use only Callboard's public API. Methods return at once and may be called
 * from any thread; futures fail with {@link WorkflowException}, of code {@code NOT_FOUND} if there
 * is no instance or definition of the given name.
 */
public final class Workflows {
  /** Longest wait for an answer. */
  static final Duration ASK = Duration.ofSeconds(10);

  /** Maximum number of instances of a page. */
  public static final int MOST_ITEMS = 200;

  private static final Duration PASSIVATE = Duration.ofSeconds(30);

  private final Callboard callboard;
  private final Workers workers;
  private final StepDispatch dispatch;
  private final InstanceLives lives;
  private final StepRequests requests;
  private final StepJobs stepJobs;
  private final DefinitionCache cache;
  private final CellInstances index;
  private final DefinitionClient definitions;
  private final InstanceClient instances;
  private final PastInstances past;
  private final InstanceLists lists;
  private final StartControl starts;
  private final StepOutputs outputs;
  private final InstanceSweep sweep;
  private final StepJobReasons jobReasons;

  private Workflows(
      Callboard callboard,
      Jobs jobs,
      WorkflowsOptions options,
      @Nullable WorkflowHistory history,
      Duration listsPause) {
    this.callboard = callboard;
    InstanceReports reports = new InstanceReports(callboard);
    this.outputs = new StepOutputs(callboard::blobs);
    this.workers =
        new Workers(
            callboard,
            reports,
            options.slots(),
            new HttpStepOptions(options.httpHosts(), HttpStepOptions.MOST_BYTES),
            this::waitingForType);
    this.dispatch = workers.dispatch();
    this.lives = new InstanceLives(callboard);
    this.requests = new StepRequests(callboard, lives, dispatch);
    reports.requests(requests);
    this.stepJobs = new StepJobs(callboard, lives, StepScheduler.of(jobs), reports);
    this.jobReasons = new StepJobReasons(jobs);
    this.cache = new DefinitionCache(callboard, ASK, options.mergers());
    this.index =
        new CellInstances(
            callboard, InstanceActor.PREFIX, new StoredInstances(callboard), stepJobs::queues);
    this.definitions = new DefinitionClient(callboard, cache);
    this.instances = new InstanceClient(callboard, cache);
    ArchivedInstances archived = new ArchivedInstances(history, callboard.time(), listsPause);
    this.past = new PastInstances(archived);
    this.lists = new InstanceLists(index.peers(), archived);
    this.starts = new StartControl(callboard, options, definitions, index);
    this.sweep =
        new InstanceSweep(
            callboard,
            index.here(),
            index.peers(),
            options.retention(),
            archive(options, history),
            instances::remove);
  }

  private EndedArchive archive(WorkflowsOptions options, @Nullable WorkflowHistory history) {
    return history == null
        ? EndedArchive.NONE
        : new InstanceArchive(
            history, index, options.retention(), instances::whole, callboard.time());
  }

  /** Returns the workflow engine as a part of a node, with the defaults. */
  public static NodePart<Workflows> part() {
    return part(WorkflowsOptions.DEFAULT);
  }

  /**
   * Returns the workflow engine as a part of a node. It needs the job scheduler, which runs {@code
   * process} steps, and the grid, for the roles of the engine. With the part {@link
   * io.callboard.archive.CellArchive} its database gets the instances that have ended.
   */
  public static NodePart<Workflows> part(WorkflowsOptions options) {
    return new WorkflowsPart(options, ArchivedInstances.PAUSE);
  }

  static Future<Workflows> start(
      Callboard callboard,
      Grid grid,
      Jobs jobs,
      WorkflowsOptions options,
      @Nullable WorkflowHistory history,
      Duration listsPause) {
    Workflows workflows = new Workflows(callboard, jobs, options, history, listsPause);
    return workflows.open(grid).map(workflows);
  }

  private Future<Void> open(Grid grid) {
    InstanceEnvironment env =
        new InstanceEnvironment(
            cache,
            lives,
            requests,
            stepJobs,
            index,
            starts.gate(),
            index.tally(),
            outputs,
            instances.keys());
    return starts
        .check()
        .compose(v -> index.start(own()))
        .compose(v -> callboard.host(DefinitionActor.PREFIX, DefinitionActor::new, own()))
        .compose(v -> callboard.host(DefinitionNames.PREFIX, DefinitionNames::new, own()))
        .compose(v -> callboard.host(InstanceKey.PREFIX, InstanceKey::new, own()))
        .compose(
            v ->
                callboard.host(
                    InstanceActor.PREFIX,
                    () -> new InstanceActor(env, new InstanceMachine(callboard.random())),
                    own().passivateAfter(PASSIVATE)))
        .onSuccess(v -> index.hosted())
        .compose(v -> workers.open(grid))
        .compose(v -> starts.open(grid, own()))
        .onSuccess(v -> sweep.start());
  }

  private Future<List<QueueView>> waitingForType() {
    return index.peers().waiting();
  }

  /** Returns the options of the engine's actors, whose threads users' actors cannot occupy. */
  private static ActorOptions own() {
    return new ActorOptions().zone(ZoneDefaults.TOOLKIT).onBus(false);
  }

  /**
   * Stores a definition and makes it the current version; instances keep the version that they
   * began with. Fails with {@link InvalidWorkflow}, which has all defects, if it is not valid.
   */
  public Future<DefinitionVersion> put(WorkflowDefinition definition) {
    return definitions.put(definition);
  }

  /** Returns all defects of a definition's text; empty if it is valid. Stores nothing. */
  public static List<PlacedDefect> check(String yamlOrJson) {
    return DefinitionReader.yaml(yamlOrJson).defects();
  }

  /** Returns the current version of a definition. */
  public Future<DefinitionVersion> definition(String name) {
    return definitions.get(name, null);
  }

  /** Returns a version of a definition; null for the current one. */
  public Future<DefinitionVersion> definition(String name, @Nullable String version) {
    return definitions.get(name, version);
  }

  /** Returns all versions of a definition, the current one first, then the newest first. */
  public Future<DefinitionVersions> versions(String name) {
    return definitions.versions(name);
  }

  /** Returns the current versions of all definitions, by name. */
  public Future<DefinitionVersions> currentVersions() {
    return definitions.current();
  }

  /** Returns the names of all definitions, sorted. */
  public Future<List<String>> definitions() {
    return definitions.names();
  }

  /**
   * Starts an instance, which is durable when the future succeeds; returns the one that holds its
   * unique key, if there is one. Fails with {@code NOT_FOUND} if there is no such definition,
   * {@code INVALID} for a request that is over a limit, {@code UNAVAILABLE} if the outcome is
   * unknown.
   */
  public Future<Instance> run(StartRequest request) {
    return submit(request).map(StartedInstance::instance);
  }

  /** Starts an instance like {@link #run}, and says whether it is a new one. */
  public Future<StartedInstance> submit(StartRequest request) {
    return instances.start(request);
  }

  /** Returns an instance, also one that only the archive has. */
  public Future<Instance> instance(String id) {
    return past.or(
        id,
        instances
            .stored(id)
            .compose(
                instance ->
                    PlacedRuns.mayBePlaced(instance)
                        ? dispatch
                            .places(id)
                            .map(places -> PlacedRuns.of(instance, places))
                            .otherwise(instance) // the desk knows more, but need not answer
                        : Future.succeededFuture(instance)),
        its -> Future.succeededFuture(its.instance()));
  }

  /**
   * Returns the whole output of a step that has succeeded, as JSON, also if it is by reference.
   * Fails with {@code NOT_FOUND} if there is none; the archive has only those of up to 24 KiB.
   */
  public Future<Buffer> output(String id, String step) {
    return past.or(id, instances.output(id, step, outputs), its -> PastInstances.output(its, step));
  }

  /** Returns a page of the instances, as the nodes know them, and the archive. */
  public Future<WorkflowPage> list(WorkflowQuery query) {
    return lists.page(query);
  }

  /** Returns the numbers of instances by version and state, without those in the archive. */
  public Future<List<InstanceCount>> counts() {
    return counted().map(InstanceCounts::items);
  }

  /** Returns the same numbers, with the nodes whose instances they lack. */
  public Future<InstanceCounts> counted() {
    return index.peers().counts();
  }

  /** Returns the timeline of an instance, the oldest change first. */
  public Future<List<InstanceChange>> events(String id) {
    return past.or(
        id,
        instances
            .exists(id)
            .compose(v -> instances.answer(id, new InstanceCommand.Timeline()))
            .map(answer -> ((InstanceAnswer.Changes) answer).changes()),
        its -> Future.succeededFuture(its.events()));
  }

  /** Returns why an instance and each of its steps that is not settled is where it is. */
  public Future<WorkflowWhy> why(String id) {
    return past.or(
        id,
        instances
            .exists(id)
            .compose(v -> instances.answer(id, new InstanceCommand.Why()))
            .map(answer -> ((InstanceAnswer.Reasons) answer).why())
            .compose(
                why ->
                    dispatch
                        .places(id)
                        .map(places -> PlacedRuns.of(why, places, now()))
                        .otherwise(why)) // the desk knows more, but need not answer
            .compose(why -> jobReasons.of(why, () -> instances.stored(id))),
        its -> Future.succeededFuture(PastInstances.why(its)));
  }

  /**
   * Cancels an instance: only its {@code finally} steps still start, and open runs are cancelled.
   * Fails with {@code ILLEGAL_STATE} if it has ended otherwise, or undoes what succeeded.
   */
  public Future<Instance> cancel(String id) {
    return command(id, new InstanceCommand.Cancel(now(), null), PastInstances::cancel);
  }

  /**
   * Cancels an instance with its {@code finally} steps, its compensation and its sub-workflows,
   * also one that is being cancelled or compensated; for an instance that does not end because one
   * of these hangs. Its outcome is the one it would have had, its reason says what did not
   * complete. Fails with {@code ILLEGAL_STATE} if it has ended otherwise than CANCELLED.
   *
   * @param by who wants that, for the timeline; the first 100 characters are stored
   */
  public Future<Instance> forceCancel(String id, String by) {
    return by.isBlank()
        ? WorkflowFailures.fail(
            WorkflowException.Code.INVALID, "the name of who forces the cancellation is empty")
        : command(id, new InstanceCommand.Cancel(now(), by), PastInstances::cancel);
  }

  /**
   * Runs again what failed, was cancelled or undone in an instance, and all that follows these,
   * also if it had succeeded; all else stays. Fails with {@code ILLEGAL_STATE} unless it is FAILED
   * or CANCELLED, if another instance holds its unique key by now, or if only the archive has it.
   */
  public Future<Instance> retry(String id) {
    return command(id, new InstanceCommand.Retry(now()), PastInstances::runAgain);
  }

  /**
   * Runs a step of an instance that has ended and all that follow it again, and what was cancelled
   * or undone. Fails with {@code ILLEGAL_STATE} if it has not ended, if another instance holds its
   * unique key by now, if only the archive has it, or if a failure that stays would cancel the step
   * at once, by {@code failFast}.
   */
  public Future<Instance> rerunFrom(String id, String step) {
    return command(id, new InstanceCommand.Rerun(step, now()), PastInstances::runAgain);
  }

  private Future<Instance> command(
      String id, InstanceCommand command, Function<ArchivedInstance, Future<Instance>> ended) {
    return past.or(id, instances.command(id, command), ended);
  }

  /**
   * Deletes an instance that has ended, in the cell or in the archive; completes with the instance
   * as it was. Fails with {@code UNAVAILABLE} if the archive's database does not answer.
   */
  public Future<Instance> delete(String id) {
    return past.delete(id, () -> instances.command(id, new InstanceCommand.Delete(now())));
  }

  /** Returns the progress of this node in archiving and removing instances that have ended. */
  public InstanceArchiveStatus archive() {
    return sweep.status();
  }

  /** Returns the workers of the cell, and the one of this node with its handlers. */
  public Workers workers() {
    return workers;
  }

  /** Returns the brakes that are or were on, or are overridden, by definition. */
  public Future<List<BrakeView>> brakes() {
    return starts.brakes();
  }

  /** Returns the brake of a definition. */
  public Future<BrakeView> brake(String definition) {
    return starts.brake(definition);
  }

  /**
   * Overrides the measured credit of a brake, durably; {@link StartControl#release} removes the
   * override.
   *
   * @param credit how many instances that begin from now on may run at once, 0 for none; null: the
   *     brake is off, whatever fails
   * @param by who sets it, for people
   * @param reason why, for people
   */
  public Future<BrakeView> override(
      String definition, @Nullable Integer credit, String by, String reason) {
    return starts.override(definition, credit, by, reason);
  }

  /** Returns throughput, durations and failures of a definition and its steps. */
  public Future<DefinitionStats> stats(String definition) {
    return starts.stats(definition);
  }

  /** Returns how instances begin: brakes, shares, and messages. */
  public StartControl starts() {
    return starts;
  }

  /**
   * Closes this node's part in the engine. Its steps are asked to end, and run on other nodes once
   * they have.
   *
   * @return completes when all is closed; code of steps that does not end is waited for 10 s
   */
  public Future<Void> close() {
    sweep.close();
    starts.close();
    requests.close();
    return workers.close().eventually(index::close);
  }

  private Instant now() {
    return callboard.time().clock().instant();
  }
}
