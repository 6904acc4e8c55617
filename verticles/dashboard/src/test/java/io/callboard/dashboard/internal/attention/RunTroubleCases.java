package io.callboard.dashboard.internal.attention;

import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRuns;
import java.util.List;
import java.util.Map;

/** What can be wrong with runs of jobs. */
final class RunTroubleCases {
  private RunTroubleCases() {}

  static TroubledRun stalled(String job, String type, int seconds) {
    return new TroubledRun(
        TroubledRun.Kind.STALLED, job, type, 1, "node-b", World.ago(seconds), List.of());
  }

  static TroubledRun killed(String job, String host, int seconds, Long... pids) {
    return new TroubledRun(
        TroubledRun.Kind.KILL_FAILED, job, "etl", 2, host, World.ago(seconds), List.of(pids));
  }

  private static TroubledRun ofEarlierBoot(String job, String host) {
    return new TroubledRun(
        TroubledRun.Kind.KILL_FAILED, job, "", 2, host, World.ago(100), List.of(12L), true);
  }

  /** Runs that make no progress, of which so many are named. */
  static TroubledRuns stalled(Map<String, Long> counts, TroubledRun... first) {
    return new TroubledRuns(counts, Map.of(), List.of(first), List.of());
  }

  /** Runs that are not gone after a kill, of which so many are named. */
  static TroubledRuns killed(Map<String, Long> counts, TroubledRun... first) {
    return new TroubledRuns(Map.of(), counts, List.of(first), List.of());
  }

  static List<TroubleCases.Case> all() {
    return List.of(
        new TroubleCases.Case(
            Rule.JOBS_STALLED,
            Severity.WARNING,
            Subject.Kind.TYPE,
            "etl",
            null,
            "1 job runs and makes no progress within the progress timeout: job a since "
                + "2026-11-24T11:58:20Z",
            world -> world.runs = stalled(Map.of("etl", 1L), stalled("a", "etl", 100)),
            world -> world.runs = TroubledRuns.NONE),
        new TroubleCases.Case(
            Rule.KILL_FAILED,
            Severity.WARNING,
            Subject.Kind.HOST,
            "node-b",
            null,
            "1 run is not gone after it was killed, and keeps its slot: run 2 of job a since"
                + " 2026-11-24T11:58:20Z, processes 12 34",
            world ->
                world.runs = killed(Map.of("node-b", 1L), killed("a", "node-b", 100, 12L, 34L)),
            world -> world.runs = TroubledRuns.NONE),
        new TroubleCases.Case(
            Rule.KILL_FAILED,
            Severity.WARNING,
            Subject.Kind.HOST,
            "node-b",
            null,
            "1 run is not gone after it was killed: run 2 of job a since 2026-11-24T11:58:20Z, process"
                + " 12, begun before its host was restarted: its job may run beside it",
            world -> world.runs = killed(Map.of("node-b", 1L), ofEarlierBoot("a", "node-b")),
            world -> world.runs = TroubledRuns.NONE));
  }
}
