package io.callboard.jobs;

import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.jobs.GateState.Handle;
import io.callboard.jobs.GateState.Waiting;
import io.callboard.store.Member;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The type limiter: no run starts without a handle from here.
 *
 * <p>A handle is durable before its run leaves the gate. It is voided only by its job (the run
 * ended), by its host's monitor (no such run here), or by the death of its host; silence frees
 * nothing. After a restart the gate knows its handles but no host, so it grants nothing until the
 * hosts have reported: it may think too many runs alive, never too few.
 */
final class Gate extends PersistentActor<GateCommand, GateEvent, GateState> {
  static final String PATH = "/jobs/gate";

  /** The news that a gate has started: monitors report at once. */
  static final String STARTED = "gate-started";

  /** A granted run that its host does not know is lost only after this time. */
  static final Duration START_GRACE = Duration.ofSeconds(15);

  /** A host that is no member any more is dead after this time: its runs have been killed. */
  static final Duration DEATH_GRACE = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(Gate.class);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final Clock clock;
  private final News news;
  private final Map<String, Grants.Host> hosts = new HashMap<>();
  private final Map<String, Instant> missingSince = new HashMap<>();
  private Set<String> live = Set.of();

  Gate(Clock clock, News news) {
    this.clock = clock;
    this.news = news;
  }

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
        .message(GateCommand.Members.class, this::members)
        .message(GateCommand.PutType.class, this::putType)
        .message(GateCommand.Pause.class, this::pause)
        .message(GateCommand.Look.class, look -> reply(overview()))
        .message(GateCommand.AskWhy.class, ask -> reply(why(ask.job())))
        .message(GateCommand.Tick.class, tick -> tick());
  }

  @Override
  protected Future<?> started() {
    news.tell(STARTED, new JsonObject());
    startTimer("tick", TICK, new GateCommand.Tick());
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
              e.job(), e.runId(), e.type(), e.priority(), e.at(), e.notBefore(), e.expiresAt()));
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
    hosts.put(report.host(), new Grants.Host(report.host(), report.boot(), report.slots()));
    missingSince.remove(report.host());
    Set<String> alive = new HashSet<>(report.runs());
    for (Map.Entry<String, Handle> entry : List.copyOf(state().handles().entrySet())) {
      Handle handle = entry.getValue();
      String run = entry.getKey() + "/" + handle.runId();
      if (!handle.host().equals(report.host()) || alive.remove(run)) {
        continue;
      }
      if (!handle.boot().equals(report.boot())) {
        lost(entry.getKey(), handle, "its host was restarted", true);
      } else if (handle.grantedAt().plus(START_GRACE).isBefore(report.asOf())) {
        lost(entry.getKey(), handle, "its host does not know it", false);
      }
    }
    for (String orphan : alive) {
      log.warn("run {} on {} has no handle and is killed", orphan, report.host());
      tell(monitor(report.host()), new MonitorCommand.Kill(orphan, "it has no handle"));
    }
    grant();
  }

  private io.callboard.ActorRef<MonitorCommand> monitor(String host) {
    return callboard().ref(Monitor.path(host), MonitorCommand.class);
  }

  private void lost(String job, Handle handle, String why, boolean withNode) {
    persist(new GateEvent.Released(job, handle.runId()));
    tell(job(job), new JobCommand.Lost(handle.runId(), why, clock.instant(), withNode));
  }

  private io.callboard.ActorRef<JobCommand> job(String id) {
    return callboard().durableRef(JobActor.path(id), JobCommand.class);
  }

  private void grant() {
    Instant now = clock.instant();
    for (Grants.Grant grant : Grants.decide(state(), hosts, now)) {
      Waiting waiting = grant.waiting();
      Grants.Host host = grant.host();
      persist(
          new GateEvent.Granted(
              grant.job(), waiting.runId(), waiting.type(), host.name(), host.boot(), now));
      tell(
          job(grant.job()),
          new JobCommand.Granted(
              waiting.runId(), host.name(), host.boot(), state().grants(), now, retry(waiting)));
    }
  }

  private @Nullable RetryPolicy retry(Waiting waiting) {
    JobType type = state().types().get(waiting.type());
    return type == null ? null : type.retry();
  }

  private void tick() {
    startTimer("tick", TICK, new GateCommand.Tick());
    Instant now = clock.instant();
    for (Map.Entry<String, Waiting> entry : List.copyOf(state().waiting().entrySet())) {
      Instant expires = entry.getValue().expiresAt();
      if (expires != null && expires.isBefore(now)) {
        persist(new GateEvent.Withdrawn(entry.getKey()));
        tell(job(entry.getKey()), new JobCommand.Expired(entry.getValue().runId(), now));
      }
    }
    grant();
    if (!state().handles().isEmpty() || !hosts.isEmpty()) {
      pipeToSelf(
          callboard().members(), outcome -> new GateCommand.Members(names(outcome.result())));
    }
  }

  private static List<String> names(@Nullable List<Member> members) {
    return members == null
        ? List.of()
        : members.stream().map(member -> member.name() + "/" + member.bootId()).toList();
  }

  /** An empty list means that the members could not be read: nothing follows from it. */
  private void members(GateCommand.Members seen) {
    if (seen.live().isEmpty()) {
      return;
    }
    live = Set.copyOf(seen.live());
    hosts.values().removeIf(host -> !live.contains(host.name() + "/" + host.boot()));
    Set<String> liveNames = new HashSet<>();
    live.forEach(member -> liveNames.add(member.substring(0, member.indexOf('/'))));
    Instant now = clock.instant();
    for (Map.Entry<String, Handle> entry : List.copyOf(state().handles().entrySet())) {
      String host = entry.getValue().host();
      if (liveNames.contains(host)) {
        missingSince.remove(host);
      } else if (missingSince.computeIfAbsent(host, h -> now).plus(DEATH_GRACE).isBefore(now)) {
        lost(entry.getKey(), entry.getValue(), "its host is dead", true);
      }
    }
  }

  private void putType(GateCommand.PutType put) {
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
    List<JobHost> all = new ArrayList<>();
    for (Grants.Host host : hosts.values()) {
      all.add(
          new JobHost(
              host.name(), host.boot(), host.slots(), (int) state().runningOn(host.name()), true));
    }
    state().handles().values().stream()
        .map(Handle::host)
        .distinct()
        .filter(host -> !hosts.containsKey(host))
        .forEach(host -> all.add(new JobHost(host, "", 0, (int) state().runningOn(host), false)));
    all.sort((a, b) -> a.name().compareTo(b.name()));
    List<JobType> types = new ArrayList<>(state().types().values());
    types.sort((a, b) -> a.name().compareTo(b.name()));
    return new GateAnswer.Overview(types, all, state().waiting().size(), state().handles().size());
  }

  private GateAnswer why(String job) {
    return new GateAnswer.Why(Waits.reasons(state(), hosts, job, clock.instant()));
  }
}
