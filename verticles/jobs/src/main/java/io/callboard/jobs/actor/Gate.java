package io.callboard.jobs.actor;

import io.callboard.ActorRef;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.jobs.gate.BlockedReasons;
import io.callboard.jobs.gate.GateMachine;
import io.callboard.jobs.gate.GateState;
import io.callboard.jobs.gate.GateState.Handle;
import io.callboard.jobs.gate.GateState.Waiting;
import io.callboard.jobs.gate.GateStep;
import io.callboard.jobs.gate.HostView;
import io.callboard.jobs.gate.RunCounts;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.protocol.GateAnswer;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.GateEvent;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.jobs.protocol.MonitorCommand;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
 * too many runs alive, never too few.
 */
public final class Gate extends PersistentActor<GateCommand, GateEvent, GateState> {
  /** Path of the gate. */
  public static final String PATH = "/jobs/gate";

  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  /** Maximum number of types: they are never removed, and each is in every snapshot. */
  public static final int MOST_TYPES = 1_000;

  private static final Duration TICK = Duration.ofSeconds(1);

  /** Time limit of one reading of the members. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final GateMachine machine = new GateMachine();
  private boolean looking;

  @Override
  protected GateState initial() {
    return GateState.empty();
  }

  @Override
  protected GateState apply(GateState state, GateEvent event) {
    return state.apply(event);
  }

  @Override
  protected void protocol(Protocol<GateCommand> on) {
    on.message(GateCommand.Enqueue.class, this::enqueue)
        .message(GateCommand.Withdraw.class, this::withdraw)
        .message(GateCommand.Release.class, this::release)
        .message(GateCommand.Report.class, this::report)
        .message(GateCommand.Disowned.class, e -> carryOut(machine.disowned(state(), e)))
        .message(GateCommand.Members.class, this::members)
        .message(GateCommand.PutType.class, this::putType)
        .message(GateCommand.Pause.class, this::pause)
        .message(GateCommand.Look.class, look -> reply(overview()))
        .message(GateCommand.AskWhy.class, ask -> reply(why(ask.job())))
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

  private void enqueue(GateCommand.Enqueue e) {
    Waiting known = state().waiting().get(e.job());
    Handle handle = state().handles().get(e.job());
    boolean old =
        (known != null && known.runId() >= e.runId())
            || (handle != null && handle.runId() >= e.runId());
    if (!old) {
      persist(
          new GateEvent.Enqueued(
              e.job(),
              e.runId(),
              e.type(),
              e.priority(),
              time().clock().instant(), // a job's age is measured by this clock alone
              e.notBefore(),
              e.expiresAt()));
      grant();
    }
  }

  private void withdraw(GateCommand.Withdraw e) {
    if (state().waiting().containsKey(e.job())) {
      persist(new GateEvent.Withdrawn(e.job()));
    }
  }

  private void release(GateCommand.Release e) {
    Handle handle = state().handles().get(e.job());
    if (handle != null && handle.runId() == e.runId()) {
      persist(new GateEvent.Released(e.job(), e.runId()));
      grant();
    }
  }

  private void report(GateCommand.Report report) {
    if (!machine.report(state(), HostView.of(report, time().nanoTime()))) {
      readMembers();
    }
    decide();
  }

  private void members(GateCommand.Members seen) {
    looking = false;
    List<String> draining = seen.draining() == null ? List.of() : seen.draining();
    machine.members(state(), seen.live(), draining, time().nanoTime());
    decide();
  }

  private void tick() {
    startTimer("tick", TICK, new GateCommand.Tick());
    readMembers();
    decide();
  }

  private void decide() {
    carryOut(machine.decide(state(), time().clock().instant(), time().nanoTime()));
  }

  private void grant() {
    carryOut(machine.grants(state(), time().clock().instant(), time().nanoTime()));
  }

  private void carryOut(List<GateStep> decisions) {
    decisions.forEach(this::carryOut);
    if (machine.hasMore()) {
      startTimer("tick", Duration.ZERO, new GateCommand.Tick());
    }
  }

  private void carryOut(GateStep decision) {
    Instant now = time().clock().instant();
    if (decision instanceof GateStep.Grant grant) {
      GateEvent.Granted e = grant.event();
      JobType type = state().types().get(e.type());
      persist(e);
      tell(
          job(e.job()),
          new JobCommand.Granted(
              e.runId(),
              e.host(),
              e.boot(),
              grant.epoch(),
              now,
              type == null ? null : type.retry(),
              e.term()));
    } else if (decision instanceof GateStep.Void lost) {
      GateEvent.Released e = lost.event();
      persist(e);
      tell(job(e.job()), new JobCommand.Lost(e.runId(), lost.why(), now, lost.withNode()));
    } else if (decision instanceof GateStep.Expire late) {
      persist(late.event());
      tell(job(late.event().job()), new JobCommand.Expired(late.runId(), now));
    } else if (decision instanceof GateStep.Silence silence) {
      GateEvent.Silenced e = silence.event();
      persist(e);
      tell(
          job(e.job()),
          e.silent()
              ? new JobCommand.Silent(e.runId(), silence.why())
              : new JobCommand.Heard(e.runId()));
    } else if (decision instanceof GateStep.Ask ask) {
      tell(monitor(ask.host()), new MonitorCommand.Disown(ask.boot(), ask.runs()));
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
          outcome -> seen(outcome.result()));
    }
  }

  private static GateCommand.Members seen(@Nullable List<Member> members) {
    List<Member> all = members == null ? List.of() : members;
    return new GateCommand.Members(
        all.stream().map(member -> member.name() + "/" + member.bootId()).toList(),
        all.stream().filter(member -> Offer.of(member).draining()).map(Member::name).toList());
  }

  private void putType(GateCommand.PutType put) {
    boolean added = !state().types().containsKey(put.type().name());
    if (added && state().types().size() >= MOST_TYPES) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.OVERLOADED,
              "there are %d job types already, which is the limit: change one of them"
                  .formatted(MOST_TYPES)));
      return;
    }
    persist(new GateEvent.TypePut(put.type()));
    reply(new GateAnswer.Type(put.type()));
    grant();
  }

  private void pause(GateCommand.Pause pause) {
    JobType type = state().types().get(pause.type());
    if (type == null) {
      reply(
          new GateAnswer.Refused(
              JobException.Code.NOT_FOUND, "there is no job type \"%s\"".formatted(pause.type())));
      return;
    }
    JobType changed =
        new JobType(type.name(), type.runner(), type.limit(), pause.paused(), type.retry());
    if (!changed.equals(type)) {
      persist(new GateEvent.TypePut(changed));
      grant();
    }
    reply(new GateAnswer.Type(changed));
  }

  private GateAnswer overview() {
    RunCounts running = RunCounts.of(state().handles().values());
    List<JobHost> all = new ArrayList<>();
    for (HostView host : machine.hosts().values()) {
      int used = running.onHost(host.name());
      all.add(new JobHost(host.name(), host.boot(), host.slots(), used, true));
    }
    state().handles().values().stream()
        .map(GateState.Handle::host)
        .distinct()
        .filter(host -> !machine.hosts().containsKey(host))
        .forEach(host -> all.add(new JobHost(host, "", 0, running.onHost(host), false)));
    all.sort((a, b) -> a.name().compareTo(b.name()));
    List<JobType> types = new ArrayList<>(state().types().values());
    types.sort((a, b) -> a.name().compareTo(b.name()));
    return new GateAnswer.Overview(types, all, state().waiting().size(), state().handles().size());
  }

  private GateAnswer why(String job) {
    return new GateAnswer.Why(
        BlockedReasons.reasons(state(), machine, job, time().clock().instant(), time().nanoTime()));
  }
}
