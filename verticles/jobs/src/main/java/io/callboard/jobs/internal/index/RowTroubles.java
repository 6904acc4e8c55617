package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRun.Kind;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs in trouble of the rows of a node, kept with each change, so that a caller pays only for what
 * is wrong. Not thread-safe.
 */
@Machine
final class RowTroubles {
  private final Map<Kind, NavigableSet<TroubledRun>> byKind = new EnumMap<>(Kind.class);
  private final Map<String, Long> killFailed = new TreeMap<>();

  /** Returns what is wrong with the last run of a job. */
  static List<TroubledRun> of(Job job) {
    List<JobRun> runs = job.runs();
    if (runs.isEmpty() || runs.get(runs.size() - 1).endedAt() != null) {
      return List.of();
    }
    JobRun run = runs.get(runs.size() - 1);
    List<TroubledRun> found = new ArrayList<>();
    Instant stalled = run.stalledSince();
    if (job.state() == JobState.STALLED && stalled != null) {
      found.add(of(Kind.STALLED, job, run, stalled, List.of()));
    }
    FailedKill kill = job.failedKill();
    if (kill != null && kill.runId() == run.runId()) {
      found.add(of(Kind.KILL_FAILED, job, run, kill.at(), kill.pids()));
    }
    return List.copyOf(found);
  }

  private static TroubledRun of(Kind kind, Job job, JobRun run, Instant since, List<Long> pids) {
    return new TroubledRun(kind, job.id(), job.type(), run.runId(), run.host(), since, pids);
  }

  /** Adds the troubles of a row (sign 1) or removes them (-1). */
  void add(IndexRow row, int sign) {
    for (TroubledRun run : row.troubles) {
      NavigableSet<TroubledRun> ofKind = ofKind(run.kind());
      boolean unused = sign > 0 ? ofKind.add(run) : ofKind.remove(run);
      if (run.kind() == Kind.KILL_FAILED) {
        Long none =
            killFailed.compute(run.host(), (host, count) -> plus(count == null ? 0 : count, sign));
      }
    }
  }

  /** Returns the sum; null for none, so that a host without any is forgotten. */
  private static @Nullable Long plus(long count, int sign) {
    return count + sign == 0 ? null : count + sign;
  }

  private NavigableSet<TroubledRun> ofKind(Kind kind) {
    return byKind.computeIfAbsent(kind, each -> new TreeSet<>(TroubledRun.OLDEST_FIRST));
  }

  /** Returns the first of each kind, at most {@value TroubledRuns#MOST_OF_KIND}. */
  List<TroubledRun> first() {
    return byKind.values().stream()
        .flatMap(runs -> runs.stream().limit(TroubledRuns.MOST_OF_KIND))
        .toList();
  }

  /** Returns the numbers of runs that are not gone after a kill, by host. */
  Map<String, Long> killFailed() {
    return Map.copyOf(killFailed);
  }
}
