package io.callboard.jobs.internal.process;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.RunKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;

/**
 * Kills the groups of runs, and makes sure that none of their processes is left; scans all of them
 * at once in each round.
 */
final class GroupKill {
  private static final int ROUNDS = 60;

  /** Round from which on the watcher is not relied on any more. */
  private static final int DISTRUST = 3;

  private static final int MAX_PAUSE_MS = 50;

  private final RunHome home;
  private final ProcessTable table;
  private final ScheduledExecutorService executor;

  GroupKill(RunHome home, ProcessTable table, ScheduledExecutorService executor) {
    this.home = home;
    this.table = table;
    this.executor = executor;
  }

  /** Sends SIGTERM, then SIGKILL after the grace or as soon as the command has ended. */
  CompletableFuture<KillReport> terminate(LiveRun run, Process process, Duration grace) {
    LiveRun.signal(process, "TERM");
    return process
        .onExit()
        .thenApply(ended -> Outcome.TERMINATED)
        .completeOnTimeout(Outcome.KILLED, grace.toMillis(), MILLISECONDS)
        .thenComposeAsync(outcome -> kill(Map.of(run, process), outcome), executor)
        .thenApply(reports -> reports.get(0));
  }

  /**
   * Sends SIGKILL at once.
   *
   * @return within about three seconds, one report per run
   */
  CompletableFuture<List<KillReport>> kill(Map<LiveRun, Process> runs, Outcome success) {
    runs.values().forEach(LiveRun::closePipe);
    CompletableFuture<List<KillReport>> done = new CompletableFuture<>();
    executor.execute(() -> round(0, runs, success, done));
    return done;
  }

  private void round(
      int round,
      Map<LiveRun, Process> runs,
      Outcome success,
      CompletableFuture<List<KillReport>> done) {
    try {
      Map<LiveRun, Set<Long>> left = killRest(round, runs);
      boolean last = round == ROUNDS;
      if (!last && left.values().stream().anyMatch(pids -> !pids.isEmpty())) {
        int pauseMs = Math.min(MAX_PAUSE_MS, 2 << Math.min(round, 8));
        var unused =
            executor.schedule(() -> round(round + 1, runs, success, done), pauseMs, MILLISECONDS);
        return;
      }
      List<KillReport> reports = new ArrayList<>();
      left.forEach(
          (run, pids) ->
              reports.add(
                  new KillReport(
                      run.key(),
                      pids.isEmpty() ? success : Outcome.KILL_FAILED,
                      List.copyOf(pids))));
      done.complete(reports);
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  /** Kills once more what is left of each run, and returns it. */
  private Map<LiveRun, Set<Long>> killRest(int round, Map<LiveRun, Process> runs) {
    Map<LiveRun, Set<Long>> left = new LinkedHashMap<>();
    Map<String, Set<Long>> byName = new HashMap<>();
    Set<Process> reaped = reaped(runs.values());
    List<ProcessTable.Entry> entries = table.entries();
    runs.forEach(
        (run, process) -> {
          Set<Long> group = group(process, reaped.contains(process), entries);
          if (!group.isEmpty() && round >= (process.isAlive() ? DISTRUST : 1)) {
            killGroup(process.pid(), group);
          }
          left.put(run, group);
          byName.put(run.key().toString(), group);
        });
    for (ProcessTable.Tagged tagged : own()) {
      Set<Long> group = byName.get(tagged.tag().jobId() + '/' + tagged.tag().runId());
      long pid = tagged.handle().pid();
      // a group member dies by the signal to its group; a process outside it is known only here
      if (group != null && !group.contains(pid)) {
        tagged.handle().destroyForcibly();
        group.add(pid);
      }
    }
    return left;
  }

  /** Kills, in one look, the processes that carry the mark of a run without a process object. */
  void killTagged(RunKey key) {
    for (ProcessTable.Tagged tagged : own()) {
      if (tagged.tag().isOf(key)) {
        tagged.handle().destroyForcibly();
      }
    }
  }

  /**
   * Returns the marked processes of this boot; a copy of this home, or an earlier boot, may have a
   * run of the same name.
   */
  private List<ProcessTable.Tagged> own() {
    return table.tagged(home.homeId()).stream()
        .filter(tagged -> tagged.tag().bootId().equals(home.bootId()))
        .toList();
  }

  /** Returns how many processes of the groups of these leaders are left. */
  <K> Map<K, Integer> count(Map<K, Process> leaders) {
    Set<Process> reaped = reaped(leaders.values());
    List<ProcessTable.Entry> entries = table.entries();
    Map<K, Integer> counts = new HashMap<>();
    leaders.forEach(
        (key, leader) -> {
          int left = group(leader, reaped.contains(leader), entries).size();
          counts.put(key, Math.max(left, leader.isAlive() ? 1 : 0));
        });
    return counts;
  }

  /**
   * Returns the leaders that are gone. It is called before the processes are read: one that ends
   * after it has been read would be taken for another process with its number.
   */
  private static Set<Process> reaped(Collection<Process> leaders) {
    return leaders.stream().filter(leader -> !leader.isAlive()).collect(Collectors.toSet());
  }

  private static Set<Long> group(
      Process leader, boolean reaped, Collection<ProcessTable.Entry> entries) {
    Set<Long> members = new HashSet<>();
    for (ProcessTable.Entry entry : entries) {
      if (reaped && entry.pid() == leader.pid()) {
        return new HashSet<>(); // the number was reused, so the group was empty
      }
      if (entry.group() == leader.pid()) {
        members.add(entry.pid());
      }
    }
    return members;
  }

  // a signal to the group is atomic, one to each member may miss processes that it forks; the JDK
  // can only do the latter
  private static void killGroup(long group, Set<Long> members) {
    try {
      new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- -" + group)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      members.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
  }
}
