package io.callboard.jobs.internal.actor;

import io.callboard.jobs.RehearsedHost;
import io.callboard.jobs.RehearsedJob;
import io.callboard.jobs.internal.gate.GateMachine;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.gate.GateStep;
import io.callboard.jobs.internal.gate.HostView;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A cell of one gate, some hosts and jobs, played from one seed: the gate's decisions and the
 * hosts' admissions are the real ones; mail, processes, sessions and faults are played.
 *
 * <p>Durable mail comes once, in the order of its sender, at any time later. What is volatile (a
 * start, a kill, a question) comes in any order, at any time later, or never. Each machine has a
 * clock of its own. Hosts freeze, lose sessions, restart, or are replaced by another machine of
 * their name; the gate restarts; each job and the gate may be slow to handle their mail; users
 * hold, release, cancel and rerun. Every second job is of a handler, whose call ends when it likes,
 * and one host cannot read the arguments of some before it is restarted.
 */
public final class GateRehearsal {
  public static final Instant EPOCH = Instant.parse("2026-11-24T00:00:00Z");
  public static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static final int LIMIT = 3;
  private static final int JOBS = 12;

  /** Flaw of a cell, with which the rules must break. */
  public enum Flaw {
    NONE,
    /** Hosts start what they should refuse. */
    STARTS_ANYTHING,
    /** A host says of an earlier boot's runs that they are not there. */
    SPEAKS_FOR_EARLIER_BOOTS,
    /** A host reports the end of a handler's run when it asks it to end, and not when it has. */
    FREES_SLOTS_EARLY,
    /** A run that was granted and given back is granted again under the same number. */
    REUSES_RUN_IDS
  }

  public int started;
  public int lost;
  public int refused;
  public int unread;
  public long nowNs = SECOND;
  public final SplittableRandom random;

  private final Flaw flaw;

  /** Last events, for the message of a failure. */
  private final Deque<String> story = new ArrayDeque<>();

  private final Map<String, RehearsedHost> hosts = new TreeMap<>();
  private final List<RehearsedHost> replaced = new ArrayList<>();
  private final Map<String, RehearsedJob> jobs = new TreeMap<>();
  private final List<Volatile> volatiles = new ArrayList<>();
  private final Map<String, Deque<Object>> gateMail = new TreeMap<>();
  private GateState state = GateState.empty();
  private GateMachine machine = new GateMachine();
  private long gateClock;
  private long gateFrozenUntil;
  private boolean calm;

  private record Volatile(String host, MonitorCommand message, long notBefore) {}

  GateRehearsal(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    this.gateClock = random.nextLong(1_000_000 * SECOND);
    state =
        state.apply(
            new GateEvent.TypePut(
                new JobType(JobType.PROCESS, "process", LIMIT, false, RetryPolicy.ONCE), null));
    for (int i = 0; i < 3; i++) {
      hosts.put("h" + i, new RehearsedHost(this, "h" + i, 1));
    }
    for (int i = 0; i < JOBS; i++) {
      RehearsedJob job = new RehearsedJob(this, "j" + i);
      jobs.put(job.id, job);
      job.enqueue();
    }
  }

  public boolean has(Flaw one) {
    return flaw == one;
  }

  /** Two minutes of faults, then calm until all is done. */
  void play() {
    for (int step = 0; step < 1_200; step++) {
      step();
    }
    calm = true;
    jobs.values().forEach(job -> job.mail.add(new JobCommand.Release(EPOCH)));
    for (int step = 0; step < 4_000 && !isDone(); step++) {
      step();
    }
    if (!isDone()) {
      throw new AssertionError(
          "not all jobs end: "
              + jobs.values().stream().filter(job -> !job.done).toList()
              + " "
              + state);
    }
  }

  private boolean isDone() {
    return jobs.values().stream().allMatch(job -> job.done) && state.handles().isEmpty();
  }

  private void step() {
    nowNs += SECOND / 10;
    hosts.values().forEach(RehearsedHost::pass);
    replaced.forEach(RehearsedHost::fence);
    if (!calm) {
      fault();
      user();
    }
    for (RehearsedHost host : hosts.values()) {
      if (!host.isFrozen() && !host.isCut() && random.nextInt(100) == 0) {
        host.report();
      }
    }
    deliver();
    for (RehearsedJob job : jobs.values()) {
      if (nowNs >= job.frozenUntil) {
        job.killIfCancelled();
        if (!job.mail.isEmpty() && random.nextInt(3) == 0) {
          job.handle(job.mail.remove());
        }
      }
    }
    if (nowNs >= gateFrozenUntil) {
      gate();
    }
    check();
  }

  private void fault() {
    int dice = random.nextInt(1_000);
    RehearsedHost host = hosts.get("h" + random.nextInt(3));
    if (dice < 4) {
      host.frozenUntil = nowNs + random.nextLong(30 * SECOND);
    } else if (dice < 8) {
      host.cutUntil = nowNs + random.nextLong(30 * SECOND);
    } else if (dice < 10 && !host.isFrozen()) {
      restart(host);
    } else if (dice < 14) {
      say("the gate restarts");
      machine = new GateMachine();
      gateClock = random.nextLong(1_000_000 * SECOND);
    } else if (dice < 20) {
      gateFrozenUntil = nowNs + random.nextLong(20 * SECOND);
    } else if (dice < 40) {
      anyJob().frozenUntil = nowNs + random.nextLong(40 * SECOND);
    }
    for (RehearsedHost gone : List.copyOf(hosts.values())) {
      if (!gone.isMember() && random.nextInt(4) == 0) {
        say(gone.name + " is replaced");
        replaced.add(gone);
        boot(gone);
      }
    }
  }

  private void restart(RehearsedHost host) {
    say(host.name + " restarts");
    host.processes.clear();
    boot(host);
  }

  private void boot(RehearsedHost before) {
    int boot = Integer.parseInt(before.boot.substring(1)) + 1;
    RehearsedHost next = new RehearsedHost(this, before.name, boot);
    hosts.put(next.name, next);
    next.report();
  }

  private void user() {
    int dice = random.nextInt(40);
    if (dice < 8) {
      anyJob()
          .mail
          .add(
              switch (dice % 4) {
                case 0 -> new JobCommand.Cancel(EPOCH);
                case 1 -> new JobCommand.Hold(EPOCH);
                case 2 -> new JobCommand.Release(EPOCH);
                default -> new JobCommand.Rerun(EPOCH);
              });
    }
  }

  private RehearsedJob anyJob() {
    return jobs.get("j" + random.nextInt(JOBS));
  }

  private void deliver() {
    for (Volatile each : List.copyOf(volatiles)) {
      RehearsedHost host = hosts.get(each.host());
      if (nowNs >= each.notBefore() && !host.isFrozen() && !host.isCut()) {
        volatiles.remove(each);
        host.receive(each.message());
      }
    }
  }

  public void later(String host, MonitorCommand message) {
    int dice = calm ? 99 : random.nextInt(100);
    if (dice >= 5) {
      long delay = dice < 25 ? random.nextLong(60 * SECOND) : random.nextLong(SECOND);
      volatiles.add(new Volatile(host, message, nowNs + delay));
    }
  }

  public void toGate(String sender, Object message) {
    gateMail.computeIfAbsent(sender, s -> new ArrayDeque<>()).add(message);
  }

  public void toJob(String run, JobCommand message) {
    jobs.get(run.substring(0, run.indexOf('/'))).mail.add(message);
  }

  private void gate() {
    long clock = gateClock + nowNs;
    if (random.nextInt(10) == 0) {
      machine.members(
          state,
          hosts.values().stream()
              .filter(RehearsedHost::isMember)
              .map(h -> h.name + "/" + h.boot)
              .toList(),
          List.of(),
          clock);
      carryOut(machine.questions(state, EPOCH.plusNanos(clock), clock, random));
      carryOut(machine.giveUp(state, EPOCH.plusNanos(clock), clock));
      carryOut(machine.grants(state, EPOCH.plusNanos(clock), clock));
    }
    for (Deque<Object> mail : gateMail.values()) {
      if (!mail.isEmpty() && random.nextInt(2) == 0) {
        handle(mail.remove(), clock);
      }
    }
  }

  private void handle(Object message, long clock) {
    Instant now = EPOCH.plusNanos(clock);
    if (message instanceof GateCommand.Report report) {
      boolean unused = machine.report(state, HostView.of(report, clock));
      carryOut(machine.giveUp(state, now, clock));
      carryOut(machine.grants(state, now, clock));
    } else if (message instanceof GateCommand.Disowned disowned) {
      carryOut(machine.disowned(state, disowned));
      carryOut(machine.giveUp(state, now, clock));
      carryOut(machine.grants(state, now, clock));
    } else if (message instanceof GateCommand.Enqueue given) {
      GateCommand.Enqueue e = machine.needing(state, given);
      GateState.Handle handle = state.handles().get(e.job());
      if (handle == null || handle.runId() < e.runId()) {
        state =
            state.apply(
                new GateEvent.Enqueued(
                    e.job(), e.runId(), e.type(), 5, now, null, null, null, e.requires()));
      }
      carryOut(machine.grants(state, now, clock));
    } else if (message instanceof GateCommand.Withdraw e) {
      if (state.waiting().containsKey(e.job())) {
        state = state.apply(new GateEvent.Withdrawn(e.job()));
      }
    } else if (message instanceof GateCommand.Release release) {
      GateState.Handle handle = state.handles().get(release.job());
      if (handle != null && handle.runId() == release.runId()) {
        state = state.apply(new GateEvent.Released(release.job(), release.runId()));
      }
      carryOut(machine.grants(state, now, clock));
    }
  }

  private void carryOut(List<GateStep> decisions) {
    for (GateStep decision : decisions) {
      if (decision instanceof GateStep.Grant grant) {
        GateEvent.Granted e = grant.event();
        state = state.apply(e);
        String boot = e.host() + "/" + e.boot();
        say("granted " + e.job() + "/" + e.runId() + " on " + boot);
        RehearsedJob job = jobs.get(e.job());
        rule(
            !job.waitsFor(e.runId()) || !job.unreadableAt.contains(boot),
            "%s is asked again for %s",
            boot,
            job);
        jobs.get(e.job())
            .mail
            .add(
                new JobCommand.Granted(
                    e.runId(), e.host(), e.boot(), grant.epoch(), EPOCH, null, e.term()));
      } else if (decision instanceof GateStep.Void gone) {
        state = state.apply(gone.event());
        say("void " + gone.event().job() + "/" + gone.event().runId() + ": " + gone.why());
        jobs.get(gone.event().job())
            .mail
            .add(new JobCommand.Lost(gone.event().runId(), gone.why(), EPOCH, false));
      } else if (decision instanceof GateStep.Silence silence) {
        state = state.apply(silence.event());
      } else if (decision instanceof GateStep.Expire late) {
        say("no host can read " + late.event().job() + "/" + late.runId());
        state = state.apply(late.event());
        jobs.get(late.event().job())
            .mail
            .add(new JobCommand.Expired(late.runId(), EPOCH, late.unreadable()));
      } else if (decision instanceof GateStep.Ask ask) {
        later(ask.host(), new MonitorCommand.Disown(ask.boot(), ask.runs()));
      } else if (decision instanceof GateStep.Recheck recheck) {
        later(recheck.host(), new MonitorCommand.Report());
      } else if (decision instanceof GateStep.Kill kill) {
        later(kill.host(), new MonitorCommand.Kill(kill.run(), "it has no handle", kill.boot()));
      }
    }
  }

  /** J1: as many live runs as the limit at most. J2: one of a job at most. */
  private void check() {
    List<String> alive = new ArrayList<>();
    List<RehearsedHost> all = new ArrayList<>(hosts.values());
    all.addAll(replaced);
    for (RehearsedHost host : all) {
      alive.addAll(host.processes.keySet());
      rule(
          host.processes.size() <= RehearsedHost.SLOTS,
          "host %s has %s",
          host.name,
          host.processes.keySet());
    }
    rule(alive.size() <= LIMIT, "%s runs are alive: %s", alive.size(), alive);
    Set<String> ofJobs = new HashSet<>();
    for (String run : alive) {
      rule(ofJobs.add(run.substring(0, run.indexOf('/'))), "two runs of a job: %s %s", run, alive);
    }
  }

  private void rule(boolean holds, String text, Object... what) {
    if (!holds) {
      throw new AssertionError(text.formatted(what) + "\n" + String.join("\n", story));
    }
  }

  public void say(String what) {
    story.add(nowNs / (SECOND / 10) + " " + what);
    if (story.size() > 60) {
      story.remove();
    }
  }

  /** Returns whether a run is the call of a handler. */
  public static boolean ofHandler(String run) {
    return Integer.parseInt(run.substring(1, run.indexOf('/'))) % 2 == 1;
  }

  /** Returns whether only hosts that were restarted can read the arguments of a run. */
  public static boolean isOfNewVersion(String run) {
    return Integer.parseInt(run.substring(1, run.indexOf('/'))) % 3 == 2;
  }

  public static int number(String run) {
    return Integer.parseInt(run.substring(run.indexOf('/') + 1));
  }
}
