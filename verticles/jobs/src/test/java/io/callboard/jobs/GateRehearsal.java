package io.callboard.jobs;

import io.callboard.jobs.process.AdmissionsOf;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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
 * clock of its own. Hosts freeze, lose sessions, restart; the gate restarts; each job and the gate
 * may be slow to handle their mail.
 */
final class GateRehearsal {
  private static final Instant EPOCH = Instant.parse("2026-11-24T00:00:00Z");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** A session, and so the longest that a cut off host's runs live on. */
  private static final long SESSION = 10 * SECOND;

  private static final int LIMIT = 3;
  private static final int SLOTS = 2;

  /** What happened, for a failure's message; the last of it. */
  final Deque<String> story = new ArrayDeque<>();

  int started;
  int lost;
  int refused;

  private final SplittableRandom random;
  private final boolean startsAnything;
  private long nowNs = SECOND;
  private final Map<String, Host> hosts = new TreeMap<>();
  private final Map<String, PlayedJob> jobs = new TreeMap<>();
  private final List<Volatile> volatiles = new ArrayList<>();
  private final Map<String, Deque<Object>> gateMail = new TreeMap<>();
  private GateState state = GateState.empty();
  private GateMachine machine = new GateMachine();
  private long gateClock;
  private long gateFrozenUntil;
  private boolean calm;

  private record Volatile(String host, MonitorCommand message, long notBefore) {}

  /** One run's process. */
  private record Process(String run, long endsAt) {}

  /** A host with its monitor. */
  private final class Host {
    final String name;
    String boot = "b1";
    AdmissionsOf admissions = new AdmissionsOf();
    long reports;
    final Map<String, Process> processes = new HashMap<>();
    final Set<String> startedEver = new HashSet<>();
    long frozenUntil;
    long cutUntil;
    long heardAt = nowNs;
    boolean over;

    Host(String name) {
      this.name = name;
    }

    boolean isFrozen() {
      return nowNs < frozenUntil;
    }

    boolean isCut() {
      return nowNs < cutUntil;
    }

    /** Its ephemeral is gone once its session is over, at the server. */
    boolean isMember() {
      return nowNs - heardAt < SESSION + SECOND;
    }

    void pass() {
      if (nowNs - heardAt >= SESSION && !over) {
        // its fence, or its guard if it is frozen
        say(name + " kills its runs");
        processes.clear();
        over = true;
      }
      if (isFrozen() || isCut()) {
        return;
      }
      if (over) {
        admissions.endTerm();
        over = false;
        heardAt = nowNs;
        report();
      }
      heardAt = nowNs;
      for (Process process : List.copyOf(processes.values())) {
        if (nowNs >= process.endsAt()) {
          processes.remove(process.run());
          say(name + " ended " + process.run());
          job(process.run())
              .mail
              .add(new JobCommand.Ended(number(process.run()), 0, null, true, EPOCH));
        }
      }
    }

    void report() {
      toGate(
          name,
          new GateCommand.Report(
              name,
              boot,
              SLOTS,
              processes.keySet().stream().sorted().toList(),
              EPOCH.plusNanos(random.nextLong(1_000 * SECOND)),
              admissions.term(),
              ++reports,
              null));
    }

    void receive(MonitorCommand message) {
      if (message instanceof MonitorCommand.Start start) {
        String run = start.job() + "/" + start.runId();
        boolean admitted = start.boot().equals(boot) && admissions.admits(run, start.term());
        if (start.boot().equals(boot)
            && (admitted || startsAnything)
            && !over
            && startedEver.add(run)) {
          say(name + " starts " + run);
          started++;
          processes.put(run, new Process(run, nowNs + random.nextLong(30 * SECOND)));
        } else {
          refused++;
        }
      } else if (message instanceof MonitorCommand.Kill kill) {
        admissions.refuse(kill.run());
        if (processes.remove(kill.run()) != null) {
          job(kill.run())
              .mail
              .add(new JobCommand.Ended(number(kill.run()), 137, "killed", true, EPOCH));
        } else {
          job(kill.run())
              .mail
              .add(new JobCommand.Lost(number(kill.run()), "not here", EPOCH, false));
        }
        report();
      } else if (message instanceof MonitorCommand.Disown ask && ask.boot().equals(boot)) {
        List<String> disowned = new ArrayList<>();
        for (String run : ask.runs()) {
          admissions.refuse(run);
          if (!processes.containsKey(run)) {
            disowned.add(run);
          }
        }
        toGate(name, new GateCommand.Disowned(name, boot, disowned));
      }
    }

    void restart() {
      say(name + " restarts");
      processes.clear();
      admissions = new AdmissionsOf();
      boot = "b" + (Integer.parseInt(boot.substring(1)) + 1);
      reports = 0;
      startedEver.clear();
      over = false;
      heardAt = nowNs;
      report();
    }
  }

  /** The part of a job's actor that speaks with gate and monitor. */
  private final class PlayedJob {
    final String id;
    final Deque<JobCommand> mail = new ArrayDeque<>();
    long frozenUntil;
    int run = 1;
    boolean open;
    boolean done;

    PlayedJob(String id) {
      this.id = id;
    }

    void handle(JobCommand message) {
      if (message instanceof JobCommand.Granted granted) {
        if (done || open || granted.runId() != run) {
          toGate(id, new GateCommand.Release(id, granted.runId()));
          return;
        }
        open = true;
        later(
            granted.host(),
            new MonitorCommand.Start(
                id, run, granted.boot(), List.of("true"), Map.of(), 1, null, granted.term()));
      } else if (message instanceof JobCommand.Ended ended) {
        toGate(id, new GateCommand.Release(id, ended.runId()));
        if (open && ended.runId() == run) {
          open = false;
          done = true;
        }
      } else if (message instanceof JobCommand.Lost gone) {
        toGate(id, new GateCommand.Release(id, gone.runId()));
        if (open && gone.runId() == run) {
          lost++;
          open = false;
          run++;
          enqueue();
        }
      }
    }

    void enqueue() {
      toGate(id, new GateCommand.Enqueue(id, run, JobType.PROCESS, 5, EPOCH, null, null));
    }
  }

  /**
   * @param startsAnything whether hosts start what they should refuse: then the rules must break
   */
  GateRehearsal(long seed, boolean startsAnything) {
    this.random = new SplittableRandom(seed);
    this.startsAnything = startsAnything;
    this.gateClock = random.nextLong(1_000_000 * SECOND);
    state =
        state.apply(
            new GateEvent.TypePut(
                new JobType(JobType.PROCESS, "process", LIMIT, false, RetryPolicy.ONCE)));
    for (int i = 0; i < 3; i++) {
      hosts.put("h" + i, new Host("h" + i));
    }
    for (int i = 0; i < 12; i++) {
      PlayedJob job = new PlayedJob("j" + i);
      jobs.put(job.id, job);
      job.enqueue();
    }
  }

  /** Two minutes of faults, then calm until all is done. */
  void play() {
    for (int step = 0; step < 1_200; step++) {
      step();
    }
    calm = true;
    for (int step = 0; step < 4_000 && !isDone(); step++) {
      step();
    }
    if (!isDone()) {
      throw new AssertionError(
          "not all jobs end: "
              + jobs.values().stream()
                  .filter(j -> !j.done)
                  .map(j -> j.id + "/" + j.run + " open " + j.open)
                  .toList()
              + " "
              + state);
    }
  }

  private boolean isDone() {
    return jobs.values().stream().allMatch(job -> job.done) && state.handles().isEmpty();
  }

  private void step() {
    nowNs += SECOND / 10;
    hosts.values().forEach(Host::pass);
    if (!calm) {
      fault();
    }
    for (Host host : hosts.values()) {
      if (!host.isFrozen() && !host.isCut() && random.nextInt(100) == 0) {
        host.report();
      }
    }
    deliver();
    for (PlayedJob job : jobs.values()) {
      if (nowNs >= job.frozenUntil && !job.mail.isEmpty() && random.nextInt(3) == 0) {
        job.handle(job.mail.remove());
      }
    }
    if (nowNs >= gateFrozenUntil) {
      gate();
    }
    check();
  }

  private void fault() {
    int dice = random.nextInt(1_000);
    Host host = hosts.get("h" + random.nextInt(3));
    if (dice < 4) {
      host.frozenUntil = nowNs + random.nextLong(30 * SECOND);
    } else if (dice < 8) {
      host.cutUntil = nowNs + random.nextLong(30 * SECOND);
    } else if (dice < 10 && !host.isFrozen()) {
      host.restart();
    } else if (dice < 14) {
      say("the gate restarts");
      machine = new GateMachine();
      gateClock = random.nextLong(1_000_000 * SECOND);
    } else if (dice < 20) {
      gateFrozenUntil = nowNs + random.nextLong(20 * SECOND);
    } else if (dice < 40) {
      jobs.get("j" + random.nextInt(12)).frozenUntil = nowNs + random.nextLong(40 * SECOND);
    }
  }

  private void deliver() {
    for (Volatile each : List.copyOf(volatiles)) {
      Host host = hosts.get(each.host());
      if (nowNs >= each.notBefore() && !host.isFrozen() && !host.isCut()) {
        volatiles.remove(each);
        host.receive(each.message());
      }
    }
  }

  private void later(String host, MonitorCommand message) {
    int dice = calm ? 99 : random.nextInt(100);
    if (dice >= 5) {
      long delay = dice < 25 ? random.nextLong(60 * SECOND) : random.nextLong(SECOND);
      volatiles.add(new Volatile(host, message, nowNs + delay));
    }
  }

  private void toGate(String sender, Object message) {
    gateMail.computeIfAbsent(sender, s -> new ArrayDeque<>()).add(message);
  }

  private void gate() {
    long clock = gateClock + nowNs;
    if (random.nextInt(10) == 0) {
      machine.members(
          state,
          hosts.values().stream().filter(Host::isMember).map(h -> h.name + "/" + h.boot).toList(),
          List.of(),
          clock);
      carryOut(machine.decide(state, EPOCH.plusNanos(clock), clock));
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
      carryOut(machine.decide(state, now, clock));
    } else if (message instanceof GateCommand.Disowned disowned) {
      carryOut(machine.disowned(state, disowned));
    } else if (message instanceof GateCommand.Enqueue e) {
      GateState.Handle handle = state.handles().get(e.job());
      if (handle == null || handle.runId() < e.runId()) {
        state =
            state.apply(new GateEvent.Enqueued(e.job(), e.runId(), e.type(), 5, now, null, null));
      }
      carryOut(machine.grants(state, now, clock));
    } else if (message instanceof GateCommand.Release release) {
      GateState.Handle handle = state.handles().get(release.job());
      if (handle != null && handle.runId() == release.runId()) {
        state = state.apply(new GateEvent.Released(release.job(), release.runId()));
      }
      carryOut(machine.grants(state, now, clock));
    }
  }

  private void carryOut(List<GateDecision> decisions) {
    for (GateDecision decision : decisions) {
      if (decision instanceof GateDecision.Grant grant) {
        GateEvent.Granted e = grant.event();
        state = state.apply(e);
        say("granted " + e.job() + "/" + e.runId() + " on " + e.host());
        jobs.get(e.job())
            .mail
            .add(
                new JobCommand.Granted(
                    e.runId(), e.host(), e.boot(), grant.epoch(), EPOCH, null, e.term()));
      } else if (decision instanceof GateDecision.Void gone) {
        state = state.apply(gone.event());
        say("void " + gone.event().job() + "/" + gone.event().runId() + ": " + gone.why());
        jobs.get(gone.event().job())
            .mail
            .add(new JobCommand.Lost(gone.event().runId(), gone.why(), EPOCH, false));
      } else if (decision instanceof GateDecision.Ask ask) {
        later(ask.host(), new MonitorCommand.Disown(ask.boot(), ask.runs()));
      } else if (decision instanceof GateDecision.Kill kill) {
        later(kill.host(), new MonitorCommand.Kill(kill.run(), "it has no handle"));
      }
    }
  }

  /** J1: as many live runs as the limit at most. J2: one of a job at most. */
  private void check() {
    List<String> alive = new ArrayList<>();
    for (Host host : hosts.values()) {
      alive.addAll(host.processes.keySet());
      rule(host.processes.size() <= SLOTS, "host %s has %s", host.name, host.processes.keySet());
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

  private void say(String what) {
    story.add(nowNs / (SECOND / 10) + " " + what);
    if (story.size() > 60) {
      story.remove();
    }
  }

  private PlayedJob job(String run) {
    return jobs.get(run.substring(0, run.indexOf('/')));
  }

  private static int number(String run) {
    return Integer.parseInt(run.substring(run.indexOf('/') + 1));
  }
}
