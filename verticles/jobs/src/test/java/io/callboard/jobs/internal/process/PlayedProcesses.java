package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Processes of one boot of a node on a {@link PlayedMachine}, with the promises of {@link
 * ProcessRunner}: a start may take long, a killed run ends when nothing of it is left, a fence ends
 * all runs in time, a watchdog does so if the node is frozen.
 */
public final class PlayedProcesses implements Runner {
  private static final long STEP = WorldTime.SECOND;

  private final WorldNode node;
  private final PlayedMachine machine;
  private final SplittableRandom random;
  private final StartPermits permits = new StartPermits();
  private final Map<RunKey, Live> live = new LinkedHashMap<>();
  private Consumer<KillReport> onFailedKill = report -> {};
  private boolean limited;
  private boolean closed;
  private long untilNs;

  /** A run from its request until its result. */
  private static final class Live {
    private final RunRequest request;
    private final Promise<Run> started = Promise.promise();
    private final Promise<RunResult> ended = Promise.promise();
    private final List<Promise<KillReport>> kills = new ArrayList<>();
    private PlayedMachine.Files process;
    private String killReason = "";
    private boolean abandoned;
    private Outcome outcome = Outcome.TERMINATED;

    Live(RunRequest request) {
      this.request = request;
    }
  }

  public PlayedProcesses(WorldNode node, PlayedMachine machine) {
    this.node = node;
    this.machine = machine;
    this.random = machine.random();
  }

  @Override
  public void onFailedKill(Consumer<KillReport> listener) {
    onFailedKill = listener;
  }

  // The fence.

  @Override
  public Future<Boolean> mayRunUntil(long until) {
    boolean ended = look();
    if (limited && until - untilNs <= 0) {
      return Future.succeededFuture(false);
    }
    limited = true;
    untilNs = until;
    long leftNs = until - node.time().nanoTime();
    node.schedule(
        leftNs,
        () -> {
          boolean unused = look();
        });
    long late = STEP + random.nextLong(STEP);
    machine.time().after(leftNs + late, () -> watchdog(until));
    return Future.succeededFuture(ended);
  }

  private boolean isOver() {
    return limited && node.time().nanoTime() - untilNs >= 0;
  }

  private boolean look() {
    boolean over = isOver();
    if (over) {
      permits.endTerm();
      killAll(Fence.REASON);
    }
    return over;
  }

  /** Ends the processes of a node that has not renewed the limit. */
  private void watchdog(long until) {
    if (untilNs == until) {
      for (PlayedMachine.Files each : machine.all()) {
        if (each.boot.equals(node.bootId())) {
          each.kill();
        }
      }
    }
  }

  @Override
  public boolean takesRuns() {
    return !closed && !isOver();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public Future<List<KillReport>> close(String reason) {
    closed = true;
    return killAll(reason);
  }

  @Override
  public int term() {
    return permits.term();
  }

  @Override
  public boolean refuse(RunKey key) {
    permits.refuse(key);
    return !live.containsKey(key);
  }

  // Starts.

  @Override
  public Future<Run> start(RunRequest request, int term) {
    RunKey key = request.key();
    Live run = new Live(request);
    if (live.putIfAbsent(key, run) != null) {
      return Future.failedFuture(RunException.alreadyStarted(key));
    } else if (!permits.admits(key, term)) {
      live.remove(key);
      return Future.failedFuture(RunException.refused(key));
    }
    boolean slow = random.nextInt(20) == 0;
    node.schedule(random.nextLong(slow ? 20 * STEP : STEP / 5), () -> launch(run));
    return run.started.future();
  }

  private void launch(Live run) {
    if (machine.isHanging()) {
      node.schedule(STEP, () -> launch(run));
      return;
    }
    RunKey key = run.request.key();
    if (isOver() || closed) {
      abandon(run, Fence.REASON);
    }
    if (!run.killReason.isEmpty()) {
      neverStarted(run, RunException.killed(key, run.abandoned, run.killReason));
    } else if (machine.isFull()) {
      neverStarted(run, RunException.unusable("the disk is full"));
    } else if (machine.files(key) != null) {
      neverStarted(run, RunException.alreadyStarted(key));
    } else {
      Instant now = node.time().clock().instant();
      run.process = machine.begin(key, node);
      run.process.onExit = () -> node.schedule(0, () -> exited(run, now));
      run.started.complete(new Run(key, 1, now, run.ended.future()));
      Duration timeout = run.request.timeout();
      if (timeout != null) {
        node.schedule(
            timeout.toNanos(),
            () -> {
              if (live.get(key) == run) {
                kill(key, Runner.KILL_GRACE, "its run timeout has elapsed");
              }
            });
      }
    }
  }

  private void neverStarted(Live run, RunException why) {
    live.remove(run.request.key());
    run.started.fail(why);
    answerKills(run, Outcome.NOT_RUNNING);
  }

  private static void abandon(Live run, String why) {
    run.abandoned = true;
    if (run.killReason.isEmpty()) {
      run.killReason = why;
    }
  }

  private void exited(Live run, Instant startedAt) {
    boolean ownEnd = run.process.exit.isPresent();
    if (!ownEnd && run.killReason.isEmpty()) {
      abandon(run, Fence.REASON); // the watchdog killed it
    }
    live.remove(run.request.key());
    boolean killed = !run.killReason.isEmpty();
    if (killed && !run.abandoned) {
      String why = "killed: " + run.killReason;
      int code = ownEnd ? run.process.exit.get().exitCode() : RunResult.KILLED;
      run.process.exit = Optional.of(new ExitRecord(code, Optional.of(why), Instant.EPOCH));
    } else if (run.abandoned && !ownEnd) {
      run.process.exit = Optional.empty();
    }
    Optional<ExitRecord> exit = run.process.exit;
    run.ended.complete(
        new RunResult(
            exit.map(ExitRecord::exitCode).orElse(RunResult.KILLED),
            exit.flatMap(ExitRecord::error),
            exit.isEmpty(),
            startedAt,
            node.time().clock().instant()));
    answerKills(run, run.outcome);
  }

  private static void answerKills(Live run, Outcome outcome) {
    KillReport report = new KillReport(run.request.key(), outcome, List.of());
    List.copyOf(run.kills).forEach(each -> each.tryComplete(report));
    run.kills.clear();
  }

  // Kills.

  @Override
  public Set<RunKey> live() {
    return Set.copyOf(live.keySet());
  }

  @Override
  public Map<RunKey, Integer> count(Collection<RunKey> keys) {
    Map<RunKey, Integer> counts = new LinkedHashMap<>();
    for (RunKey key : keys) {
      Live run = live.get(key);
      if (run != null && run.process != null && run.process.alive) {
        counts.put(key, 1);
      }
    }
    return counts;
  }

  @Override
  public Future<KillReport> kill(RunKey key, Duration grace, String reason) {
    permits.refuse(key);
    Live run = live.get(key);
    if (run == null) {
      return Future.succeededFuture(KillReport.notRunning(key));
    }
    Promise<KillReport> answer = Promise.promise();
    boolean first = run.killReason.isEmpty();
    run.kills.add(answer);
    if (first) {
      run.killReason = reason;
      run.started.future().onSuccess(started -> terminate(run, grace));
    }
    return answer.future();
  }

  private void terminate(Live run, Duration grace) {
    PlayedMachine.Plan plan = run.process.plan;
    if (plan.heedsTerm()) {
      machine.time().after(random.nextLong(2 * STEP), run.process::kill);
    } else {
      run.outcome = Outcome.KILLED;
      node.schedule(grace.toNanos(), () -> killHard(run, plan.stuckForNs()));
    }
  }

  /** Kills again and again a process that does not go. */
  private void killHard(Live run, long stuckForNs) {
    if (!run.process.alive) {
      return;
    } else if (stuckForNs <= 0) {
      machine.time().after(random.nextLong(STEP / 2), run.process::kill);
      return;
    }
    KillReport failed = new KillReport(run.request.key(), Outcome.KILL_FAILED, List.of(1L));
    onFailedKill.accept(failed);
    List.copyOf(run.kills).forEach(each -> each.tryComplete(failed));
    run.kills.clear();
    long again = ProcessRunner.KILL_AGAIN.toNanos();
    node.schedule(again, () -> killHard(run, stuckForNs - again));
  }

  @Override
  public Future<List<KillReport>> killAll(String reason) {
    permits.endTerm();
    List<Future<KillReport>> gone = new ArrayList<>();
    for (Live run : List.copyOf(live.values())) {
      abandon(run, reason);
      Promise<KillReport> answer = Promise.promise();
      run.kills.add(answer);
      gone.add(answer.future());
      if (run.process != null) {
        machine.time().after(random.nextLong(STEP), run.process::kill);
      }
    }
    return Future.join(gone).map(all -> gone.stream().map(Future::result).toList());
  }

  @Override
  public void probe() {
    if (machine.isFull()) {
      throw RunException.unusable("the disk is full");
    }
  }
}
