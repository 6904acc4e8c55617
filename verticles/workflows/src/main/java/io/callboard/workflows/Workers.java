package io.callboard.workflows;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.admin.UserZones;
import io.callboard.cell.CellListener;
import io.callboard.grid.Grid;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.task.BackgroundTasks;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkersAnswer;
import io.callboard.workflows.internal.protocol.WorkersCommand;
import io.callboard.workflows.internal.worker.AttemptCode;
import io.callboard.workflows.internal.worker.DeskActor;
import io.callboard.workflows.internal.worker.DeskClient;
import io.callboard.workflows.internal.worker.DeskOpened;
import io.callboard.workflows.internal.worker.HttpStep;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.workflows.internal.worker.LocalWorker;
import io.callboard.workflows.internal.worker.StepCodes;
import io.callboard.workflows.internal.worker.WorkerActor;
import io.callboard.workflows.internal.worker.WorkerRegistry;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkView;
import io.callboard.workflows.model.WorkerView;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers of the cell, and the one of this node: its handlers, its slots, its drain. One object a
 * node; methods return at once and may be called from any thread.
 */
public final class Workers {
  private static final Logger log = LoggerFactory.getLogger(Workers.class);
  private static final Duration ASK = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Callboard callboard;
  private final StepReports reports;
  private final Supplier<Future<List<QueueView>>> jobs;
  private final BackgroundTasks tasks;
  private final StepCodes codes = new StepCodes();
  private final LocalWorker local;
  private final DeskClient desk;
  private final HttpStep http;
  private final ActorRef<WorkerCommand> worker;
  private final ActorRef<WorkersCommand> registry;
  private volatile Runnable unsubscribe = () -> {};
  private volatile boolean runs;

  /**
   * Creates this node's part in work pulling.
   *
   * @param reports takes what becomes of runs
   * @param slots steps that this node runs at once; 0 for none
   * @param jobs returns the steps of the cell whose jobs are of a type that no node has made
   */
  Workers(
      Callboard callboard,
      StepReports reports,
      int slots,
      HttpStepOptions httpOptions,
      Supplier<Future<List<QueueView>>> jobs) {
    this.jobs = jobs;
    this.callboard = callboard;
    this.reports = reports;
    this.tasks = callboard.tasks("the drain of the worker of this node");
    this.local = new LocalWorker(callboard, codes, reports, slots);
    this.desk = new DeskClient(callboard);
    this.http = new HttpStep(callboard.vertx(), httpOptions);
    this.worker = callboard.ref(WorkerActor.path(callboard.node()), WorkerCommand.class);
    this.registry = callboard.durableRef(WorkerRegistry.PATH, WorkersCommand.class);
    codes.http(http);
  }

  /** Becomes a candidate for the worker registry, and runs steps if this node has slots. */
  Future<Void> open(Grid grid) {
    listen();
    return grid.role(
            WorkerRegistry.ROLE,
            () -> new WorkerRegistry(reports),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT).onBus(false))
        .compose(registry -> run());
  }

  /** Begins to listen to the desks of the cell. */
  void listen() {
    unsubscribe = DeskOpened.of(callboard).subscribe(opened -> deskOpened(opened.epoch()));
    desk.start();
  }

  /** Runs steps, if this node has slots. */
  Future<Void> run() {
    if (local.slots() == 0) {
      return Future.succeededFuture();
    }
    runs = true;
    callboard.listen(
        new CellListener() {
          @Override
          public void sessionLives(long untilNanos) {
            local.sessionLives(untilNanos);
            tell(new WorkerCommand.SessionLives(untilNanos));
          }

          @Override
          public void sessionLost() {
            tell(new WorkerCommand.SessionLost());
          }
        });
    SupervisionOptions always =
        new SupervisionOptions()
            .kind(ChildKind.PERMANENT)
            .intensity(Intensity.UNLIMITED.restarts(), Intensity.UNLIMITED.window());
    return callboard
        .spawn(
            WorkerActor.path(callboard.node()),
            () -> new WorkerActor(local),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT).supervision(always))
        .mapEmpty();
  }

  private void tell(WorkerCommand command) {
    if (runs) {
      worker
          .tell(command)
          .onFailure(cause -> log.debug("the worker of this node does not run now", cause));
    }
  }

  private void deskOpened(long epoch) {
    desk.isOpen(epoch);
    tell(new WorkerCommand.DeskStarted(epoch));
  }

  /** Returns the port through which instances of this node have steps run. */
  StepDispatch dispatch() {
    return desk;
  }

  /**
   * Offers a handler, before or after the start.
   *
   * @param name {@code name} or {@code name@major}; steps that name no version may run on any
   * @throws IllegalArgumentException if that is no name of a handler, or this node has one of that
   *     name and version
   */
  public void handle(String name, StepHandler handler) {
    offer(name, null, handler);
  }

  /**
   * Offers a handler that runs in a scheduling zone of its own, or of several handlers, and not in
   * the one of all steps. Such a zone has slots of its own, beside those of the node: as many as it
   * has threads, unless {@link #slots(String, int)} says otherwise. So however long its handlers
   * block, and whoever fills the zone, handlers elsewhere go on.
   *
   * @param name {@code name} or {@code name@major}; steps that name no version may run on any
   * @param zone name of the zone, which the configuration of the node has
   * @throws IllegalArgumentException if that is no name of a handler, this node has one of that
   *     name and version, or it has no such zone, or that is the toolkit's own, or runs on event
   *     loops, which handlers may not block; the message has those that it has
   */
  public void handle(String name, String zone, StepHandler handler) {
    offer(
        name,
        UserZones.require(callboard.admin(), zone, "handler %.100s".formatted(name)),
        handler);
  }

  private void offer(String name, @Nullable String zone, StepHandler handler) {
    codes.handler(
        name, zone, attempt -> AttemptCode.returned(handler.run(new StepRunContext(attempt))));
    tell(new WorkerCommand.Changed());
  }

  /** Returns what this node offers: {@code handler:name@major}, and {@code http}. */
  public Set<String> types() {
    return codes.types();
  }

  /** Returns the number of steps that this node runs at once, beside those in zones of handlers. */
  public int slots() {
    return local.slots();
  }

  /**
   * Sets the number of steps that this node runs at once, beside those in zones of handlers; 0 for
   * none, there neither. Fewer end none that runs. A node that started without slots runs none.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void slots(int atOnce) {
    if (atOnce < 0) {
      throw new IllegalArgumentException("slots must not be negative: " + atOnce);
    }
    local.slots(atOnce);
    tell(new WorkerCommand.Changed());
  }

  /**
   * Sets the number of steps that the handlers of a zone run at once on this node, instead of one
   * for each thread of the zone: more for handlers that return before their step has ended, fewer
   * if others use the zone, too. On a node whose {@link #slots()} are 0 it has no effect until they
   * are more, and none at all if it started without slots.
   *
   * @param zone name of the zone
   * @param atOnce the number; 0 for none
   * @throws IllegalArgumentException if it is negative, or {@link #handle(String, String,
   *     StepHandler)} would refuse the zone
   */
  public void slots(String zone, int atOnce) {
    if (atOnce < 0) {
      throw new IllegalArgumentException("slots must not be negative: " + atOnce);
    }
    local.slots(UserZones.require(callboard.admin(), zone, "handlers"), atOnce);
    tell(new WorkerCommand.Changed());
  }

  /** Returns the number of steps that this node runs, or whose ends are not durable yet. */
  public int running() {
    return local.held();
  }

  /**
   * Takes no more steps on this node, and waits for those that run.
   *
   * @param most longest time to wait
   * @return completes with the number that still run
   */
  public Future<Integer> drain(Duration most) {
    local.draining(true);
    tell(new WorkerCommand.Changed());
    return look(callboard.time().nanoTime() + most.toNanos());
  }

  private Future<Integer> look(long untilNs) {
    return local.held() == 0 || callboard.time().nanoTime() - untilNs >= 0
        ? Future.succeededFuture(local.held())
        : tasks.pause(LOOK).compose(v -> look(untilNs));
  }

  /** Takes steps on this node again. */
  public void undrain() {
    local.draining(false);
    tell(new WorkerCommand.Changed());
  }

  /** Drains the worker of any node, durably, or lets it take steps again. */
  public Future<Void> drain(String node, boolean drained) {
    return ask(new WorkersCommand.Drain(node, drained));
  }

  /**
   * Sets the weight of a definition among those that wait, durably.
   *
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  public Future<Void> weigh(String definition, int weight) {
    return ask(new WorkersCommand.Weigh(definition, weight));
  }

  private Future<Void> ask(WorkersCommand command) {
    return registry
        .ask(command, WorkersAnswer.class, ASK)
        .compose(
            answer ->
                answer instanceof WorkersAnswer.Denied denied
                    ? Future.failedFuture(
                        new WorkflowException(WorkflowException.Code.INVALID, denied.why()))
                    : Future.succeededFuture());
  }

  /**
   * Completes with what the workers of the cell offer, {@code handler:name@major} and {@code http},
   * as the desk knows it.
   */
  public Future<Set<String>> offered() {
    return desk.overview()
        .map(
            all ->
                all.workers().stream()
                    .flatMap(each -> each.types().stream())
                    .collect(Collectors.toSet()));
  }

  /**
   * Completes with workers and queues of the cell, as the desk knows them, and with the steps whose
   * jobs are of a type that no node has made.
   */
  public Future<WorkView> ofCell() {
    Future<List<QueueView>> ofJobs = jobs.get();
    return desk.overview().compose(all -> ofJobs.map(waiting -> view(all, waiting)));
  }

  private static WorkView view(DeskAnswer.Overview all, List<QueueView> ofJobs) {
    return new WorkView(
        all.epoch(),
        all.awaits(),
        all.workers().stream().map(Workers::view).toList(),
        Stream.concat(all.queues().stream().map(Workers::view), ofJobs.stream()).toList());
  }

  private static WorkerView view(DeskAnswer.Worker of) {
    return new WorkerView(
        of.id().node(),
        of.types(),
        of.slots(),
        of.running(),
        of.draining(),
        of.silence(),
        of.member());
  }

  private static QueueView view(DeskAnswer.Queue of) {
    return new QueueView(
        of.definition(), of.type(), of.waiting(), of.running(), of.oldest(), of.why());
  }

  /** Returns the paths of this node's actors of work pulling, whether they run here now or not. */
  List<String> actors() {
    return List.of(WorkerRegistry.PATH, WorkerActor.path(callboard.node()));
  }

  /**
   * Ends all steps of this node, and reports that to the desk once their code has ended, so that
   * other nodes run them. Code that does not end is waited for as long as that of a cancelled step.
   */
  Future<Void> close() {
    unsubscribe.run();
    desk.close();
    runs = false;
    return callboard
        .stop(WorkerActor.path(callboard.node()))
        .compose(stopped -> local.endCode())
        .compose(
            ended ->
                local
                    .bye(callboard.time().nanoTime())
                    .map(bye -> callboard.ref(DeskActor.PATH, DeskCommand.class).tell(bye))
                    .orElseGet(Future::succeededFuture))
        .recover(
            cause -> {
              log.debug("the desk was not informed that this worker has ended", cause);
              return Future.succeededFuture();
            })
        .onComplete(
            closed -> {
              tasks.close();
              local.close();
            })
        .eventually(http::close);
  }
}
