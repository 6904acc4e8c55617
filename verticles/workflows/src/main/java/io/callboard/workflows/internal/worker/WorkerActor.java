package io.callboard.workflows.internal.worker;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.grid.internal.thread.ThreadWait;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.workflows.internal.dispatch.WorkerEffect;
import io.callboard.workflows.internal.dispatch.WorkerMachine;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import io.callboard.workflows.internal.worker.StepCodes.OfferedCode;
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
  private boolean offers;
  private List<ZoneSlots> zones = List.of();

  /** Attempt that is alive. */
  private static final class Running {
    /** Id of the attempt among all that workers of this node have ever made. */
    final String id;

    final String path;
    final Attempt attempt;
    final ThreadWait thread;

    /** Zone of handlers in which it runs, whichever slot it takes; null for that of the steps. */
    final @Nullable String zone;

    final long sinceNs;
    @Nullable ActorRef<AttemptCommand> actor;
    boolean begun;
    boolean announced;

    /** End of it, for the next look, in case the mailbox had no room for the message. */
    volatile WorkerCommand.@Nullable AttemptOver over;

    Running(
        String id,
        String path,
        Attempt attempt,
        ThreadWait thread,
        @Nullable String zone,
        long sinceNs) {
      this.id = id;
      this.path = path;
      this.attempt = attempt;
      this.thread = thread;
      this.zone = zone;
      this.sinceNs = sinceNs;
    }

    StepRunKey key() {
      return attempt.request().key();
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
        .message(
            WorkerCommand.Given.class,
            e -> e.runs().forEach(run -> local.reports().given(run, e.worker())))
        .message(WorkerCommand.DeskStarted.class, e -> machine.deskStarted(e.epoch()))
        .message(WorkerCommand.AttemptOver.class, this::over)
        .message(WorkerCommand.NotBegun.class, this::notBegun)
        .message(WorkerCommand.Heartbeat.class, this::heartbeat)
        .message(WorkerCommand.Reported.class, e -> machine.reported(e.key(), e.durable(), now()))
        .message(WorkerCommand.Asked.class, this::asked)
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

  /** Starts when no code of an earlier life runs any more, and offers only then. */
  @Override
  protected Future<?> started() {
    offers = true;
    startPeriodicTimer("tick", TICK, new WorkerCommand.Tick());
    tell(self(), new WorkerCommand.Changed());
    return local.code().endAll();
  }

  private long now() {
    return time().nanoTime();
  }

  private void heartbeat(WorkerCommand.Heartbeat heartbeat) {
    Running run = running(heartbeat.key(), heartbeat.attempt());
    if (run != null) {
      machine.heartbeat(heartbeat.key(), heartbeat.state(), time().clock().instant());
      run.attempt.heartbeatArrived();
    }
  }

  private void asked(WorkerCommand.Asked answer) {
    if (answer.open() != null) { // else it is asked again
      machine.asked(answer.key(), answer.open(), now());
    }
  }

  private void offer() {
    offers = false;
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
    List.copyOf(running.values()).forEach(this::look);
    flush(); // also if the mailbox had no room for the message
  }

  private void look(Running run) {
    WorkerCommand.AttemptOver over = run.over;
    if (over != null) {
      over(over);
      return;
    }
    noteBegun(run);
    long sinceNs = now() - run.sinceNs;
    if (!run.begun && sinceNs >= local.threadWithin().toNanos() && run.thread.givesBack()) {
      notBegun(run, run.thread.tooLong());
    } else if (!run.begun && sinceNs >= ANNOUNCE.toNanos()) {
      machine.waits(run.key(), run.thread.what());
    } else if (!run.announced && sinceNs >= ANNOUNCE.toNanos()) {
      run.announced = true;
      local.reports().accepted(run.key(), run.attempt.request().node(), callboard().node());
    }
  }

  private void noteBegun(Running run) {
    if (!run.begun && run.thread.hasBegun()) {
      run.begun = true;
      machine.begun(run.key(), run.zone);
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
    if (offers) { // once for all that could not begin
      offer();
    }
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
    } else if (effect instanceof WorkerEffect.Ask ask) {
      pipeToSelf(
          local.reports().isOpen(ask.key()),
          asked -> new WorkerCommand.Asked(ask.key(), asked.result()));
    } else if (effect instanceof WorkerEffect.Unanswered unanswered) {
      log.warn("the run {} is given back to the desk: {}", unanswered.key(), unanswered.why());
    } else if (effect instanceof WorkerEffect.Cancel cancel) {
      Running run = running.get(cancel.key());
      if (run != null) {
        cancel(run);
      }
    } else if (effect instanceof WorkerEffect.Stop stop) {
      stop(stop.key());
    } else if (effect instanceof WorkerEffect.Report report) {
      StepRequest request = report.request();
      pipeToSelf(
          local.reports().done(request.key(), request.node(), callboard().node(), report.outcome()),
          done -> new WorkerCommand.Reported(request.key(), done.succeeded()));
    } else if (effect instanceof WorkerEffect.Rest rest) {
      log.warn(
          "zone {}: an attempt of a step could not begin, {}; this worker takes no steps there for {} s",
          name(rest.zone()),
          rest.why(),
          rest.time().toSeconds());
    }
  }

  /** Cancels a run; one that has not begun never will, and is over at once. */
  private void cancel(Running run) {
    var unused = local.code().end(run.attempt);
    if (run.thread.givesBack()) {
      notBegun(run, "it was to end");
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
    String name = Long.toString(++attempts);
    String id = machine.id() + "/" + name;
    Attempt attempt =
        new Attempt(
            request,
            local.outputs(),
            state -> self.tell(new WorkerCommand.Heartbeat(key, state, id)),
            local.tasks().blockingPromise());
    ThreadWait thread = new ThreadWait(name(offered.zone()), local.threadWithin());
    Running run = new Running(id, path() + "/" + name, attempt, thread, offered.zone(), now());
    running.put(key, run);
    Future<ActorRef<AttemptCommand>> child =
        spawnChild(
            name,
            () ->
                new AttemptActor(
                    attempt,
                    thread,
                    offered.code(),
                    local.outputs(),
                    local.code(),
                    outcome -> ends(self, run, new WorkerCommand.AttemptOver(key, outcome, id))),
            options(offered.zone()));
    child
        .compose(
            actor -> {
              if (running.get(key) != run) { // it was given back meanwhile
                return Future.<Void>succeededFuture();
              }
              run.actor = actor;
              watch(actor, end -> ended(run, end.reason()));
              return actor.tell(AttemptCommand.BEGIN);
            })
        .onFailure(
            cause -> {
              if (thread.givesBack()) {
                notStarted(self, run, cause);
              }
            });
  }

  /** The limit of its start is no limit of its own: what has no thread is given back before. */
  private ActorOptions options(@Nullable String zone) {
    return new ActorOptions()
        .zone(name(zone))
        .onBus(false)
        .startTimeout(local.threadWithin().multipliedBy(2))
        .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
  }

  private static String name(@Nullable String zone) {
    return zone == null ? ZoneDefaults.STEPS : zone;
  }

  /** A zone that is full, or has no thread, is no failure of the attempt; all else is one. */
  private static void notStarted(ActorRef<WorkerCommand> self, Running run, Throwable cause) {
    String full = run.thread.refused(cause).orElse(null);
    if (full != null) {
      send(self, new WorkerCommand.NotBegun(run.key(), full, run.id));
      return;
    }
    StepOutcome failed =
        StepOutcome.failed(
            "its attempt could not be started in the zone %s: %.500s"
                .formatted(name(run.zone), AttemptActor.error(cause)));
    ends(self, run, new WorkerCommand.AttemptOver(run.key(), failed, run.id));
  }

  private static void ends(
      ActorRef<WorkerCommand> self, Running run, WorkerCommand.AttemptOver over) {
    run.over = over;
    send(self, over);
  }

  private void notBegun(WorkerCommand.NotBegun message) {
    Running run = running(message.key(), message.attempt());
    if (run != null) {
      notBegun(run, message.why());
    }
  }

  /** Gives a run back, whose code was not called and will not be. */
  private void notBegun(Running run, String why) {
    running.remove(run.key());
    end(run);
    offers = true;
    machine.notBegun(run.key(), run.zone, why, now());
  }

  private static WorkerCommand ended(Running run, String reason) {
    return new WorkerCommand.AttemptOver(
        run.key(), StepOutcome.failed("its attempt was ended: " + reason), run.id);
  }

  /** Returns the attempt that is alive, if what is heard is of that one. */
  private @Nullable Running running(StepRunKey key, @Nullable String attempt) {
    Running run = running.get(key);
    return run != null && run.id.equals(attempt) ? run : null;
  }

  private static void send(ActorRef<WorkerCommand> worker, WorkerCommand message) {
    worker
        .tell(message)
        .onFailure(
            cause ->
                log.debug(
                    "the worker has ended, or learns it at its next tick: {}", message, cause));
  }

  /** However an attempt comes to its end, it is over when its code has ended, or had its time. */
  private void over(WorkerCommand.AttemptOver over) {
    Running run = running(over.key(), over.attempt());
    if (run != null && local.code().runs(run.attempt)) { // its actor has ended, its code has not
      pipeToSelf(local.code().end(run.attempt), done -> over);
    } else if (run != null) {
      running.remove(over.key());
      noteBegun(run);
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

  /**
   * Stops an attempt; it is over when its actor is gone, and its code has ended or had its time.
   */
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
                          .formatted(WorkerMachine.CANCEL_GRACE)),
                  run.id));
    }
  }
}
