package io.callboard.workflows.worker;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.callboard.workflows.protocol.WorkerCommand;
import io.callboard.workflows.protocol.ZoneSlots;
import io.callboard.workflows.work.WorkerEffect;
import io.callboard.workflows.work.WorkerMachine;
import io.callboard.workflows.worker.StepCodes.OfferedCode;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker of a node: carries out what its {@link WorkerMachine} decides. Volatile; a restart ends
 * its attempts and begins another life, which the desk learns with its first news.
 *
 * <p>News are collected while messages wait, so that under load one message to the desk carries
 * many.
 */
public final class WorkerActor extends Actor<WorkerCommand> {
  private static final Logger log = LoggerFactory.getLogger(WorkerActor.class);

  /** Interval of its looks at the clock; one timer for all runs. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** Time after which a run is announced to its instance: shorter ones are over by then. */
  private static final Duration ANNOUNCE = Duration.ofSeconds(1);

  private final LocalWorker local;
  private final ActorRef<DeskCommand> desk;
  private final Map<StepRunKey, Running> running = new HashMap<>();
  private WorkerMachine machine;
  private long attempts;
  private boolean flushes;
  private List<ZoneSlots> zones = List.of();

  /** Attempt that is alive. */
  private static final class Running {
    final String path;
    final Attempt attempt;
    final String zone;
    final long sinceNs;
    @Nullable ActorRef<AttemptCommand> actor;
    boolean announced;

    Running(String path, Attempt attempt, String zone, long sinceNs) {
      this.path = path;
      this.attempt = attempt;
      this.zone = zone;
      this.sinceNs = sinceNs;
    }
  }

  /** Creates the worker of this node. */
  public WorkerActor(LocalWorker local) {
    this.local = local;
    this.desk = local.callboard().ref(DeskActor.PATH, DeskCommand.class);
    this.machine = local.begin(local.callboard().time().nanoTime());
  }

  /** Returns the path of the worker of the node of that name. */
  public static String path(String node) {
    return "/workflows/workers/" + node;
  }

  @Override
  protected void protocol(Protocol<WorkerCommand> on) {
    on.message(WorkerCommand.Orders.class, e -> machine.orders(e, now()))
        .message(WorkerCommand.DeskStarted.class, e -> machine.deskStarted(e.epoch()))
        .message(WorkerCommand.AttemptOver.class, this::over)
        .message(WorkerCommand.NotBegun.class, this::notBegun)
        .message(WorkerCommand.Heartbeat.class, this::heartbeat)
        .message(WorkerCommand.Reported.class, e -> machine.reported(e.key(), e.durable(), now()))
        .message(WorkerCommand.Changed.class, e -> offer())
        .message(WorkerCommand.SessionLives.class, e -> machine.sessionLives(e.untilNanos(), now()))
        .message(WorkerCommand.SessionLost.class, e -> sessionLost())
        .message(WorkerCommand.Tick.class, e -> tick())
        .message(WorkerCommand.Flush.class, e -> flush());
  }

  @Override
  public @Nullable Future<?> receive(WorkerCommand message) {
    Future<?> handled = super.receive(message);
    carryOut();
    return handled;
  }

  @Override
  protected Future<?> started() {
    startPeriodicTimer("tick", TICK, new WorkerCommand.Tick());
    offer();
    flush();
    return Future.succeededFuture();
  }

  private long now() {
    return time().nanoTime();
  }

  private void heartbeat(WorkerCommand.Heartbeat heartbeat) {
    machine.heartbeat(heartbeat.key(), heartbeat.state());
    Running run = running.get(heartbeat.key());
    if (run != null) {
      run.attempt.heartbeatArrived();
    }
  }

  private void offer() {
    zones = local.zones();
    machine.offer(local.codes().types(), local.slots(), local.isDraining(), zones);
  }

  private void sessionLost() {
    if (!running.isEmpty()) {
      log.warn(
          "the session of this node is lost: its {} running steps are ended, because other nodes"
              + " may run them again",
          running.size());
    }
    machine.fence(now());
  }

  private void tick() {
    if (!zones.isEmpty()) { // one of them may be full, or not any more
      offer();
    }
    machine.tick(now());
    running.values().forEach(this::announce);
    if (!flushes) {
      flush();
    }
  }

  private void announce(Running run) {
    if (now() - run.sinceNs < ANNOUNCE.toNanos()) {
      return;
    }
    StepRequest request = run.attempt.request();
    boolean begun = run.attempt.hasBegun();
    machine.waits(request.key(), begun ? null : "it waits for a thread of the zone " + run.zone);
    if (begun && !run.announced) {
      run.announced = true;
      local.reports().accepted(request.key(), request.node(), callboard().node());
    }
  }

  private void carryOut() {
    List<WorkerEffect> effects = machine.effects();
    while (!effects.isEmpty()) {
      effects.forEach(this::carryOut);
      effects = machine.effects();
    }
    local.holds(machine);
    if (!flushes && machine.hasNews()) {
      flushes = true;
      tell(self(), new WorkerCommand.Flush());
    }
  }

  private void flush() {
    flushes = false;
    machine.news().ifPresent(this::send);
  }

  /** While there is no desk, news are lost; the next Hello says the same. */
  private void send(DeskCommand.News news) {
    desk.tell(news)
        .onFailure(cause -> log.debug("the desk does not take the news of this worker", cause));
  }

  private void carryOut(WorkerEffect effect) {
    if (effect instanceof WorkerEffect.Begin begin) {
      begin(begin.request(), begin.zone());
    } else if (effect instanceof WorkerEffect.Cancel cancel) {
      Running run = running.get(cancel.key());
      if (run != null) {
        run.attempt.cancel();
      }
    } else if (effect instanceof WorkerEffect.Stop stop) {
      stop(stop.key());
    } else if (effect instanceof WorkerEffect.Report report) {
      StepRequest request = report.request();
      pipeToSelf(
          local.reports().done(request.key(), request.node(), callboard().node(), report.outcome()),
          done -> new WorkerCommand.Reported(request.key(), done.succeeded()));
    }
  }

  private void begin(StepRequest request, @Nullable String lane) {
    StepRunKey key = request.key();
    OfferedCode offered = local.codes().of(request.type(), lane).orElse(null);
    if (offered == null) {
      machine.over(
          key, StepOutcome.failed("this node has no handler %s".formatted(request.type())), now());
      return;
    }
    ActorRef<WorkerCommand> self = self();
    Attempt attempt =
        new Attempt(
            request, local.outputs(), state -> self.tell(new WorkerCommand.Heartbeat(key, state)));
    String name = Long.toString(++attempts);
    String zone = offered.zone() == null ? ZoneDefaults.STEPS : offered.zone();
    Running run = new Running(path() + "/" + name, attempt, zone, now());
    running.put(key, run);
    Future<ActorRef<AttemptCommand>> child =
        spawnChild(
            name,
            () ->
                new AttemptActor(
                    attempt,
                    offered.code(),
                    local.outputs(),
                    outcome -> send(self, new WorkerCommand.AttemptOver(key, outcome))),
            options(zone));
    child
        .compose(
            actor -> {
              run.actor = actor;
              watch(actor, end -> ended(key, end.reason()));
              return actor.tell(AttemptCommand.BEGIN);
            })
        .onFailure(cause -> send(self, new WorkerCommand.NotBegun(key, notBegun(zone, cause))));
  }

  private static ActorOptions options(String zone) {
    return new ActorOptions()
        .zone(zone)
        .onBus(false)
        .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
  }

  private static String notBegun(String zone, Throwable cause) {
    boolean full =
        cause instanceof CallboardException refused
            && refused.code() == CallboardException.Code.MAILBOX_FULL;
    return full
        ? "the zone %s is full".formatted(zone)
        : "an attempt could not be started in the zone %s: %s".formatted(zone, cause.getMessage());
  }

  /** Gives a run back, whose code was not called; first of all the zone is looked at. */
  private void notBegun(WorkerCommand.NotBegun message) {
    Running run = running.remove(message.key());
    if (run != null) {
      end(run);
      offer();
      machine.notBegun(message.key(), message.why(), now());
    }
  }

  private static WorkerCommand ended(StepRunKey key, String reason) {
    return new WorkerCommand.AttemptOver(
        key, StepOutcome.failed("its attempt was ended: " + reason));
  }

  private static void send(ActorRef<WorkerCommand> worker, WorkerCommand message) {
    worker
        .tell(message)
        .onFailure(
            cause -> log.debug("the worker has ended, and this with it: {}", message, cause));
  }

  private void over(WorkerCommand.AttemptOver over) {
    Running run = running.remove(over.key());
    if (run != null) {
      end(run);
      machine.over(over.key(), over.outcome(), now());
    }
  }

  /** Ends the actor of an attempt that is over. */
  private void end(Running run) {
    if (run.actor != null) {
      unwatch(run.actor);
    }
    callboard()
        .stop(run.path)
        .onFailure(cause -> log.warn("the attempt {} could not be stopped", run.path, cause));
  }

  /** Stops an attempt whose code does not end; it is over when its actor is gone. */
  private void stop(StepRunKey key) {
    Running run = running.get(key);
    if (run != null) {
      pipeToSelf(
          callboard().stop(run.path),
          stopped ->
              new WorkerCommand.AttemptOver(
                  key,
                  StepOutcome.cancelled(
                      "it did not end within %s and was stopped"
                          .formatted(WorkerMachine.CANCEL_GRACE))));
    }
  }
}
