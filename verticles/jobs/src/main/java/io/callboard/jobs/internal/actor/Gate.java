package io.callboard.jobs.internal.actor;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.gate.BlockedReasons;
import io.callboard.jobs.internal.gate.GateMachine;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.gate.GateStep;
import io.callboard.jobs.internal.gate.HostView;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.TypePause;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Type limiter: no run starts without a handle from here.
 *
 * <p>A handle is durable before its run leaves the gate. It is voided only by its job (the run
 * ended), by its host's word that the run never starts there, or by the death of its host; silence
 * frees nothing. {@link GateMachine} decides, this actor carries it out. After a restart the gate
 * knows its handles but no host, so it grants nothing until the hosts have reported: it may think
 * too many runs alive, never too few. It is not restored to an earlier event: then it would.
 */
public final class Gate extends PersistentActor<GateCommand, GateEvent, GateState> {
  /** Path of the gate. */
  public static final String PATH = "/jobs/gate";

  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  /** Maximum number of types: they are never removed, and each is in every snapshot. */
  public static final int MOST_TYPES = 1_000;

  /** Maximum number of limits of labels: each run is checked against those of its labels. */
  public static final int MOST_LIMITS = 1_000;

  private static final Duration TICK = Duration.ofSeconds(1);

  /** Time limit of one reading of the members. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final GateMachine machine;
  private boolean looking;

  /** Creates the gate. */
  public Gate() {
    this(new GateMachine());
  }

  /**
   * Creates the gate.
   *
   * @param window number of waiting runs from which on others wait in the backlogs
   */
  public Gate(int window) {
    this(new GateMachine(window));
  }

  private Gate(GateMachine machine) {
    this.machine = machine;
  }

  @Override
  protected GateState initial() {
    return GateState.empty();
  }

  @Override
  protected GateState apply(GateState state, GateEvent event) {
    return state.apply(event);
  }

  /**
   * Refuses to restore an earlier state: jobs, hosts and backlogs remember what they agreed upon
   * with the gate since.
   */
  @Override
  protected GateState restored(GateState state, long event, long last) {
    throw new CallboardException(
        CallboardException.Code.CONFLICT,
        "%s is not restored: jobs, hosts and backlogs remember the %,d events after event %d, so runs would be killed and jobs wait for ever; change types and limits as they are to be, or refold it if its code was wrong"
            .formatted(PATH, last - event, event));
  }

  @Override
  protected void protocol(Protocol<GateCommand> on) {
    on.message(GateCommand.Enqueue.class, this::enqueue)
        .message(GateCommand.Withdraw.class, this::withdraw)
        .message(GateCommand.Release.class, this::release)
        .message(GateCommand.Report.class, this::report)
        .message(GateCommand.Disowned.class, this::disowned)
        .message(GateCommand.Inspected.class, this::inspected)
        .message(GateCommand.Members.class, this::members)
        .message(GateCommand.NotKept.class, this::notKept)
        .message(GateCommand.Returned.class, this::returned)
        .message(GateCommand.Stock.class, e -> happened(new GateEvent.Stocked(e.type(), e.stock())))
        .message(GateCommand.PutLimit.class, this::putLimit)
        .message(GateCommand.LookLimits.class, e -> reply(GateAnswers.limits(state(), machine)))
        .message(GateCommand.PutType.class, this::putType)
        .message(GateCommand.Pause.class, this::pause)
        .message(
            GateCommand.Look.class,
            look -> reply(GateAnswers.overview(state(), machine, look, now())))
        .message(GateCommand.AskWhy.class, ask -> reply(why(ask)))
        .message(GateCommand.Tick.class, tick -> tick());
  }

  @Override
  protected Future<?> started() {
    JobNews.of(callboard())
        .publish(new JobNews.GateStarted())
        .onFailure(
            cause ->
                log.warn(
                    "the start of the gate could not be announced: host monitors report at their next interval",
                    cause));
    startTimer("tick", TICK, new GateCommand.Tick());
    readMembers();
    return Future.succeededFuture();
  }

  private void enqueue(GateCommand.Enqueue given) {
    GateCommand.Enqueue e = machine.needing(state(), given);
    WaitingRun known = state().waiting().get(e.job());
    Handle handle = state().handles().get(e.job());
    boolean old =
        (known != null && known.runId() > e.runId())
            || (handle != null && handle.runId() >= e.runId());
    if (old) {
      return;
    }
    if (known != null) { // it was held meanwhile, and its withdrawal is under way to the backlog
      happened(new GateEvent.Withdrawn(e.job()));
    }
    Instant now = now(); // a job's age is measured by this clock alone
    if (machine.isFull(state(), e, now)) {
      keep(e, now);
    } else {
      happened(
          new GateEvent.Enqueued(
              e.job(),
              e.runId(),
              e.type(),
              e.priority(),
              now,
              e.notBefore(),
              e.expiresAt(),
              e.labels(),
              e.requires()));
      grant();
    }
  }

  /** Gives a run to the backlog of its type; its number is the next, as that of any other. */
  private void keep(GateCommand.Enqueue e, Instant now) {
    WaitingRun waiting =
        new WaitingRun(
            e.runId(),
            e.type(),
            e.priority(),
            now,
            e.notBefore(),
            e.expiresAt(),
            state().enqueued() + 1,
            e.labels() == null ? Map.of() : e.labels(),
            e.requires() == null ? Map.of() : e.requires());
    happened(new GateEvent.Kept(e.type(), e.priority()));
    tell(backlog(e.type()), new BacklogCommand.Keep(e.job(), waiting));
  }

  private ActorRef<BacklogCommand> backlog(String type) {
    return callboard().durableRef(TypeBacklog.path(type), BacklogCommand.class);
  }

  /** Persists an event, which the machine follows. */
  private void happened(GateEvent event) {
    GateState before = state();
    persist(event);
    machine.apply(before, event, state());
  }

  private void withdraw(GateCommand.Withdraw e) {
    if (state().waiting().containsKey(e.job())) {
      happened(new GateEvent.Withdrawn(e.job()));
    } else if (e.type() != null && state().knownBacklogs().containsKey(e.type())) {
      tell(backlog(e.type()), new BacklogCommand.Withdraw(e.job(), state().enqueued()));
    }
  }

  /** Withdraws a job that was on its way from a backlog, unless it was enqueued again since. */
  private void notKept(GateCommand.NotKept e) {
    WaitingRun waiting = state().waiting().get(e.job());
    if (waiting != null && waiting.wasEnqueuedUpTo(e.upTo())) {
      happened(new GateEvent.Withdrawn(e.job()));
    }
  }

  private void returned(GateCommand.Returned e) {
    happened(new GateEvent.Returned(e.type(), e.runs(), e.stock(), e.left()));
    grant();
  }

  private void release(GateCommand.Release e) {
    Handle handle = state().handles().get(e.job());
    if (handle != null && handle.runId() == e.runId()) {
      happened(new GateEvent.Released(e.job(), e.runId()));
      grant();
    }
  }

  private void report(GateCommand.Report report) {
    if (!machine.report(state(), HostView.of(report, time().nanoTime()))) {
      readMembers();
    }
    addTypes(report.handlers() == null ? Set.of() : report.handlers().keySet());
    decide();
  }

  /** Adds a type of its name for each handler that is offered for the first time. */
  private void addTypes(Set<String> handlers) {
    for (String handler : new TreeSet<>(handlers)) {
      if (state().types().containsKey(handler)) {
        continue;
      } else if (state().types().size() < MOST_TYPES) {
        happened(new GateEvent.TypePut(JobType.ofHandler(handler), null));
      } else {
        log.warn(
            "handler {} gets no type of its name: there are {} already, which is the limit",
            handler,
            MOST_TYPES);
      }
    }
  }

  private void disowned(GateCommand.Disowned e) {
    carryOut(machine.disowned(state(), e));
    decide(); // the slots are free
  }

  private void inspected(GateCommand.Inspected e) {
    Instant now = now();
    carryOut(machine.inspected(state(), e, now, time().nanoTime()));
    decide();
  }

  private void members(GateCommand.Members seen) {
    looking = false;
    List<String> draining = seen.draining() == null ? List.of() : seen.draining();
    machine.members(
        state(),
        seen.live(),
        draining,
        seen.labels() == null ? Map.of() : seen.labels(),
        time().nanoTime());
    decide();
  }

  private void tick() {
    startTimer("tick", TICK, new GateCommand.Tick());
    readMembers();
    decide();
    Instant now = now();
    carryOut(machine.questions(state(), now, time().nanoTime(), random()));
  }

  private void decide() {
    carryOut(machine.giveUp(state(), now(), time().nanoTime()));
    grant();
  }

  /** Grants what may go, and pulls what the window then has room for. */
  private void grant() {
    carryOut(machine.grants(state(), now(), time().nanoTime()));
    carryOut(machine.pulls(state()));
    if (machine.hasMore()) {
      startTimer("tick", Duration.ZERO, new GateCommand.Tick());
    }
  }

  private void carryOut(List<GateStep> decisions) {
    decisions.forEach(this::carryOut);
  }

  private void carryOut(GateStep decision) {
    Instant now = now();
    if (decision instanceof GateStep.Grant grant) {
      GateEvent.Granted e = grant.event();
      JobType type = state().types().get(e.type());
      happened(e);
      tell(
          job(e.job()),
          new JobCommand.Granted(
              e.runId(),
              e.host(),
              e.boot(),
              grant.epoch(),
              now,
              type == null ? null : type.retry(),
              e.term(),
              type == null ? null : type.handler()));
    } else if (decision instanceof GateStep.Void lost) {
      GateEvent.Released e = lost.event();
      happened(e);
      tell(job(e.job()), new JobCommand.Lost(e.runId(), lost.why(), now, lost.withNode()));
    } else if (decision instanceof GateStep.Expire late) {
      happened(late.event());
      tell(
          job(late.event().job()),
          new JobCommand.Expired(late.runId(), now, late.unreadable() ? true : null));
    } else if (decision instanceof GateStep.Silence silence) {
      GateEvent.Silenced e = silence.event();
      happened(e);
      tell(
          job(e.job()),
          e.silent()
              ? new JobCommand.Silent(e.runId(), silence.why())
              : new JobCommand.Heard(e.runId()));
    } else if (decision instanceof GateStep.Pull pull) {
      happened(new GateEvent.Pulled(pull.type()));
      tell(backlog(pull.type()), pull.command());
    } else if (decision instanceof GateStep.Ask ask) {
      tell(monitor(ask.host()), new MonitorCommand.Disown(ask.boot(), ask.runs()));
    } else if (decision instanceof GateStep.Inspect inspect) {
      tell(monitor(inspect.host()), new MonitorCommand.Inspect(inspect.boot(), inspect.runs()));
    } else if (decision instanceof GateStep.Notice notice) {
      tell(job(notice.job()), notice.what());
    } else if (decision instanceof GateStep.Recheck recheck) {
      tell(monitor(recheck.host()), new MonitorCommand.Report());
    } else if (decision instanceof GateStep.Kill kill) {
      log.warn(
          "run {} on host {} has no handle at the gate and is killed", kill.run(), kill.host());
      tell(
          monitor(kill.host()),
          new MonitorCommand.Kill(kill.run(), "it has no handle", kill.boot()));
    }
  }

  private ActorRef<MonitorCommand> monitor(String host) {
    return callboard().ref(HostMonitor.path(host), MonitorCommand.class);
  }

  private ActorRef<JobCommand> job(String id) {
    return callboard().durableRef(JobActor.path(id), JobCommand.class);
  }

  /** Reads the members, one reading at a time. */
  private void readMembers() {
    if (!looking) {
      looking = true;
      pipeToSelf(
          callboard().members().timeout(LOOK.toMillis(), TimeUnit.MILLISECONDS),
          outcome -> HostsSeen.among(outcome.result()));
    }
  }

  private void putType(GateCommand.PutType put) {
    JobType present = state().types().get(put.type().name());
    if (put.expected() != null && !put.expected().equals(present)) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.ILLEGAL_STATE,
              "type %s was changed meanwhile".formatted(put.type().name())));
      return;
    }
    if (present != null && present.runsElsewhere(put.type())) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.INVALID,
              "type %s is of %s, which does not change: create another type"
                  .formatted(present.name(), present.runnerWords())));
      return;
    }
    boolean added = present == null;
    if (added && state().types().size() >= MOST_TYPES) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.OVERLOADED,
              "there are %d job types already, which is the limit: change one of them"
                  .formatted(MOST_TYPES)));
      return;
    }
    put(put.type(), present, put.by(), put.reason());
    reply(view(put.type()));
    grant();
  }

  /** Persists a type, and who paused it, unless that had been done before. */
  private void put(
      JobType type, @Nullable JobType present, @Nullable String by, @Nullable String reason) {
    boolean begins = type.paused() && (present == null || !present.paused());
    happened(new GateEvent.TypePut(type, begins ? new TypePause(by, reason, now()) : null));
  }

  private GateAnswer view(JobType type) {
    return new GateAnswer.Type(type, state().pause(type.name()));
  }

  private void pause(GateCommand.Pause pause) {
    JobType type = state().types().get(pause.type());
    if (type == null) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.NOT_FOUND, "there is no job type \"%s\"".formatted(pause.type())));
      return;
    }
    JobType changed = type.paused(pause.paused());
    if (!changed.equals(type)) {
      put(changed, type, pause.by(), pause.reason());
      grant();
    }
    reply(view(changed));
  }

  private GateAnswer why(GateCommand.AskWhy ask) {
    return new GateAnswer.Why(
        BlockedReasons.reasons(state(), machine, ask.job(), ask.type(), now(), time().nanoTime()));
  }

  private Instant now() {
    return time().clock().instant();
  }

  private void putLimit(GateCommand.PutLimit put) {
    boolean added = put.running() != null && !state().labelLimits().containsKey(put.label());
    if (added && state().labelLimits().size() >= MOST_LIMITS) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.OVERLOADED,
              "there are %d limits of labels already, which is the limit: delete one of them"
                  .formatted(MOST_LIMITS)));
      return;
    }
    if (!Objects.equals(put.running(), state().labelLimits().get(put.label()))) {
      happened(new GateEvent.LimitPut(put.label(), put.running()));
      grant();
    }
    reply(GateAnswers.limits(state(), machine));
  }
}
