package io.callboard.jobs;

import io.callboard.jobs.internal.actor.GateRehearsal;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.JobType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The part of a job's actor that speaks with gate and monitor, in a {@link GateRehearsal}. */
public final class RehearsedJob {
  private static final Instant EPOCH = GateRehearsal.EPOCH;
  private static final long KILL_AGAIN = Duration.ofSeconds(5).toNanos();

  public final String id;
  public final Deque<JobCommand> mail = new ArrayDeque<>();
  public long frozenUntil;
  public boolean done;

  /** Boots of hosts that gave a run of it back, as they cannot read its arguments. */
  public final Set<String> unreadableAt = new TreeSet<>();

  private final GateRehearsal world;
  private int next = 1;
  private JobCommand.Granted open;
  private boolean held;
  private boolean cancelling;
  private long killAt;

  public RehearsedJob(GateRehearsal world, String id) {
    this.world = world;
    this.id = id;
  }

  public void handle(JobCommand message) {
    if (message instanceof JobCommand.Granted granted) {
      granted(granted);
    } else if (message instanceof JobCommand.Ended ended) {
      String boot = open == null ? "" : open.host() + "/" + open.boot();
      if (closes(ended.runId())) {
        done = ended.unreadable() == null || cancelling || !unreadableAt.add(boot);
        if (!done) {
          enqueue();
        }
      }
    } else if (message instanceof JobCommand.Expired expired) {
      done |= waits() && expired.runId() == next;
    } else if (message instanceof JobCommand.Lost gone) {
      if (closes(gone.runId())) {
        world.lost++;
        if (cancelling) {
          done = true;
        } else {
          enqueue();
        }
      }
    } else {
      handleUser(message);
    }
  }

  /** Returns whether it waits for a grant of that run. */
  public boolean waitsFor(int runId) {
    return waits() && runId == next;
  }

  private boolean waits() {
    return !done && !held && open == null;
  }

  private void granted(JobCommand.Granted granted) {
    if (!waits() || granted.runId() != next) {
      if (granted.runId() == next && !world.has(GateRehearsal.Flaw.REUSES_RUN_IDS)) {
        next++;
      }
      world.toGate(id, new GateCommand.Release(id, granted.runId()));
      return;
    }
    open = granted;
    next++;
    world.later(
        granted.host(),
        new MonitorCommand.Start(
            id,
            granted.runId(),
            granted.boot(),
            List.of("true"),
            Map.of(),
            1,
            null,
            granted.term(),
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  private boolean closes(int runId) {
    world.toGate(id, new GateCommand.Release(id, runId));
    if (open == null || open.runId() != runId) {
      return false;
    }
    open = null;
    return true;
  }

  private void handleUser(JobCommand message) {
    if (message instanceof JobCommand.Cancel && !done) {
      if (open != null) {
        cancelling = true;
        killAt = world.nowNs;
      } else {
        world.toGate(id, new GateCommand.Withdraw(id, JobType.PROCESS));
        held = false;
        done = true;
      }
    } else if (message instanceof JobCommand.Hold && waits()) {
      world.toGate(id, new GateCommand.Withdraw(id, JobType.PROCESS));
      held = true;
    } else if (message instanceof JobCommand.Release && held) {
      held = false;
      enqueue();
    } else if (message instanceof JobCommand.Rerun && done) {
      done = false;
      cancelling = false;
      unreadableAt.clear();
      enqueue();
    }
  }

  /** Kills the run of a cancelled job, repeatedly until it is gone. */
  public void killIfCancelled() {
    if (cancelling && open != null && world.nowNs >= killAt) {
      killAt = world.nowNs + KILL_AGAIN;
      world.later(
          open.host(), new MonitorCommand.Kill(id + "/" + open.runId(), "cancelled", open.boot()));
    }
  }

  public void enqueue() {
    world.toGate(
        id,
        new GateCommand.Enqueue(
            id,
            next,
            JobType.PROCESS,
            5,
            EPOCH,
            null,
            null,
            null,
            null,
            unreadableAt.isEmpty() ? null : List.copyOf(unreadableAt)));
  }

  @Override
  public String toString() {
    return "%s next %d open %s held %s".formatted(id, next, open, held);
  }
}
