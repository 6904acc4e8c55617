package io.callboard.jobs;

import io.callboard.jobs.internal.actor.GateRehearsal;
import io.callboard.jobs.internal.process.StartPermitsOf;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Boot of a host of a {@link GateRehearsal}, with its monitor; its admissions are real. */
public final class RehearsedHost {
  public static final int SLOTS = 2;

  /** A session, and so the longest that a cut off host's runs live on. */
  static final long SESSION = Duration.ofSeconds(10).toNanos();

  /** Delay of its guard behind its own fence. */
  private static final long GUARD_LATER = Duration.ofSeconds(2).toNanos();

  private static final Instant EPOCH = GateRehearsal.EPOCH;

  public final String name;
  public final String boot;
  public final Map<String, Process> processes = new HashMap<>();
  public long frozenUntil;
  public long cutUntil;

  private final GateRehearsal world;
  private final StartPermitsOf admissions = new StartPermitsOf();
  private final Set<String> startedEver = new HashSet<>();

  /** Calls whose end was reported while they go on. */
  private final Set<String> endedEarly = new HashSet<>();

  private long reports;
  private long heardAt;
  private boolean over;

  /** Process of one run. */
  record Process(String run, long endsAt) {}

  public RehearsedHost(GateRehearsal world, String name, int boot) {
    this.world = world;
    this.name = name;
    this.boot = "b" + boot;
    this.heardAt = world.nowNs;
  }

  public boolean isFrozen() {
    return world.nowNs < frozenUntil;
  }

  public boolean isCut() {
    return world.nowNs < cutUntil;
  }

  /** Returns whether its ephemeral node exists, which ends with its session at the server. */
  public boolean isMember() {
    return world.nowNs - heardAt < SESSION;
  }

  public void pass() {
    fence();
    if (isFrozen() || isCut()) {
      return;
    }
    if (over) {
      admissions.endTerm();
      over = false;
      heardAt = world.nowNs;
      report();
    }
    heardAt = world.nowNs;
    for (Process process : List.copyOf(processes.values())) {
      if (world.nowNs >= process.endsAt()) {
        processes.remove(process.run());
        world.say(name + " ended " + process.run());
        world.toJob(process.run(), ended(process.run(), 0));
      }
    }
  }

  /** Ends the runs: by itself, or by its guard if it is frozen. */
  public void fence() {
    long silent = world.nowNs - heardAt;
    if (!over && silent >= SESSION + (isFrozen() ? GUARD_LATER : 0)) {
      world.say(name + "/" + boot + " kills its runs");
      processes.clear();
      over = true;
    }
  }

  /** Sends a report, of its monitor or of its runs; mail of the two has no order. */
  public void report() {
    world.toGate(
        world.random.nextInt(4) == 0 ? name + " runs" : name,
        new GateCommand.Report(
            name,
            boot,
            SLOTS,
            processes.keySet().stream().filter(run -> !endedEarly.contains(run)).sorted().toList(),
            EPOCH.plusSeconds(world.random.nextLong(1_000)),
            admissions.term(),
            ++reports,
            null,
            null,
            null,
            null,
            null));
  }

  public void receive(MonitorCommand message) {
    if (message instanceof MonitorCommand.Start start) {
      start(start);
    } else if (message instanceof MonitorCommand.Kill kill) {
      kill(kill);
    } else if (message instanceof MonitorCommand.Report) {
      report();
    } else if (message instanceof MonitorCommand.Inspect) {
      report(); // no run of this world has a progress timeout
    } else if (message instanceof MonitorCommand.Disown ask && ask.boot().equals(boot)) {
      List<String> disowned = new ArrayList<>();
      for (String run : ask.runs()) {
        admissions.refuse(run);
        if (!processes.containsKey(run)) {
          disowned.add(run);
        }
      }
      world.toGate(name, new GateCommand.Disowned(name, boot, disowned));
    }
  }

  private void start(MonitorCommand.Start start) {
    String run = start.job() + "/" + start.runId();
    boolean admitted = admissions.admits(run, start.term());
    if (start.boot().equals(boot)
        && (admitted || world.has(GateRehearsal.Flaw.STARTS_ANYTHING))
        && !over
        && startedEver.add(run)) {
      if (cannotRead(run)) {
        world.say(name + " cannot read " + run);
        world.unread++;
        world.toJob(
            run,
            new JobCommand.Ended(
                GateRehearsal.number(run), 126, "unreadable", true, EPOCH, null, null, true));
        return;
      }
      world.say(name + " starts " + run);
      world.started++;
      processes.put(
          run, new Process(run, world.nowNs + world.random.nextLong(30 * GateRehearsal.SECOND)));
    } else {
      world.refused++;
    }
  }

  /** Returns whether its handler is of a version that cannot read the arguments of a run. */
  private boolean cannotRead(String run) {
    return name.equals("h0") && boot.equals("b1") && GateRehearsal.isOfNewVersion(run);
  }

  private void kill(MonitorCommand.Kill kill) {
    boolean other = kill.boot() != null && !kill.boot().equals(boot);
    if (other && !world.has(GateRehearsal.Flaw.SPEAKS_FOR_EARLIER_BOOTS)) {
      return;
    }
    admissions.refuse(kill.run());
    if (processes.containsKey(kill.run()) && GateRehearsal.ofHandler(kill.run())) {
      askToEnd(kill.run());
      return;
    }
    boolean gone = processes.remove(kill.run()) == null;
    world.toJob(
        kill.run(),
        gone
            ? new JobCommand.Lost(GateRehearsal.number(kill.run()), "not here", EPOCH, false)
            : ended(kill.run(), 137));
    report();
  }

  /** Asks the call of a handler to end, which it does when it likes; its slot stays taken. */
  private void askToEnd(String run) {
    if (world.has(GateRehearsal.Flaw.FREES_SLOTS_EARLY) && endedEarly.add(run)) {
      world.say(name + " says that " + run + " has ended");
      world.toJob(run, ended(run, 1));
    }
    report();
  }

  private static JobCommand ended(String run, int code) {
    return new JobCommand.Ended(GateRehearsal.number(run), code, null, true, EPOCH);
  }
}
