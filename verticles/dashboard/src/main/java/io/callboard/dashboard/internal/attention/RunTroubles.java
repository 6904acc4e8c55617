package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRuns;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Rules about runs of jobs that make no progress, by the type of their job, and that are not gone
 * after a kill, by their host. Without a time of patience: the one is the progress timeout of the
 * job, the other the steps of a kill. Pure.
 */
final class RunTroubles {
  /** Maximum number of runs of a trouble that are named. */
  private static final int MOST_NAMED = 3;

  private RunTroubles() {}

  static void check(TroubledRuns runs, Consumer<Trouble> found) {
    runs.stalled()
        .forEach(
            (type, count) ->
                found.accept(
                    stalled(
                        type,
                        count,
                        of(runs, TroubledRun.Kind.STALLED, run -> run.type().equals(type)))));
    runs.killFailed()
        .forEach(
            (host, count) ->
                found.accept(
                    killFailed(
                        host,
                        count,
                        of(runs, TroubledRun.Kind.KILL_FAILED, run -> run.host().equals(host)))));
  }

  private static List<TroubledRun> of(
      TroubledRuns runs, TroubledRun.Kind kind, Predicate<TroubledRun> which) {
    return runs.first().stream().filter(run -> run.kind() == kind && which.test(run)).toList();
  }

  private static Trouble stalled(String type, long count, List<TroubledRun> first) {
    return Trouble.of(
        Rule.JOBS_STALLED,
        Severity.WARNING,
        Subject.of(Kind.TYPE, type),
        first.isEmpty() ? null : first.get(0).since(),
        "%s within the progress timeout%s"
            .formatted(
                ActorTroubles.counted(
                    count, "job runs and makes no progress", "jobs run and make no progress"),
                named(count, first, run -> "job %s since %s".formatted(run.job(), since(run)))),
        look(
            first,
            "see what it waits for, and cancel it if it is stuck",
            "callboard jobs --state STALLED --type " + type));
  }

  private static Trouble killFailed(String host, long count, List<TroubledRun> first) {
    boolean slots = first.size() >= count && first.stream().noneMatch(TroubledRun::isEarlier);
    return Trouble.of(
        Rule.KILL_FAILED,
        Severity.WARNING,
        Subject.of(Kind.HOST, host),
        first.isEmpty() ? null : first.get(0).since(),
        "%s%s"
            .formatted(
                ActorTroubles.counted(
                    count,
                    "run is not gone after it was killed" + (slots ? ", and keeps its slot" : ""),
                    "runs are not gone after they were killed"
                        + (slots ? ", and keep their slots" : "")),
                named(
                    count,
                    first,
                    run ->
                        "run %d of job %s since %s, %s%s"
                            .formatted(
                                run.runId(), run.job(), since(run), processes(run), beside(run)))),
        look(
            first,
            "see what it waits for on that host, or restart the machine; of a handler its stack is with the job, and a restart of the node ends it",
            "callboard jobs"));
  }

  private static String beside(TroubledRun run) {
    return run.isEarlier()
        ? ", begun before its host was restarted: its job may run beside it"
        : "";
  }

  private static String since(TroubledRun run) {
    return run.since().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String processes(TroubledRun run) {
    if (run.pids().isEmpty()) {
      return "whose handler does not end";
    }
    String pids = run.pids().stream().map(String::valueOf).collect(Collectors.joining(" "));
    return (run.pids().size() == 1 ? "process " : "processes ") + pids;
  }

  private static String named(
      long count, List<TroubledRun> first, Function<TroubledRun, String> words) {
    if (first.isEmpty()) {
      return ""; // of others there are as many that are older, or the node names none
    }
    List<TroubledRun> some = first.subList(0, Math.min(MOST_NAMED, first.size()));
    long more = count - some.size();
    return some.stream().map(words).collect(Collectors.joining("; ", ": ", ""))
        + (more > 0 ? "; and %,d more".formatted(more) : "");
  }

  /** Returns the action that opens the first job; without one, the command that lists them. */
  private static Action look(List<TroubledRun> first, String label, String listed) {
    if (first.isEmpty()) {
      return Action.look(label, listed);
    }
    String job = first.get(0).job();
    return Action.look(label, "callboard why " + job).opens(Subject.of(Kind.JOB, job));
  }
}
