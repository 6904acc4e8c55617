package io.callboard.chaos.runs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judge of jobs by what their processes wrote, by locks of the operating system that they could not
 * take, and by {@code /proc}.
 *
 * <p>Two independent looks at the limits. A run takes one of as many locks as a limit allows runs,
 * which the kernel frees with the last process that holds it; all runs look for theirs one after
 * the other, so one that finds none proves that too many were alive. And a run was certainly alive
 * from its first line to its last, or to its last appearance in {@code /proc}: no instant may have
 * more of these than a limit allows.
 */
public final class RunJudge {
  private static final int SHOWN = 5;

  private final RunLimits limits;
  private final List<RunLine> lines;
  private final List<Finding> findings = new ArrayList<>();

  /** Kind of a violation. */
  public enum Kind {
    /** An accepted job that is gone, or ended in a way in which it must not end. */
    LOST,
    /** Two processes of one job, or a run that begins twice or out of order. */
    DUPLICATED,
    /** A step of a workflow that begins before one that it waits for has ended. */
    REORDERED,
    /** More runs alive than a limit allows. */
    OVER_LIMIT,
    /** A message that its source still has. */
    STUCK
  }

  /**
   * Violation.
   *
   * @param kind its kind
   * @param what what was seen, for people
   */
  public record Finding(Kind kind, String what) {}

  /** Time in which a run was certainly alive. */
  private record Life(RunLine begin, long fromNs, long untilNs) {}

  private record Edge(long atNs, int by, Life life) {}

  private RunJudge(RunLimits limits, List<RunLine> lines) {
    this.limits = limits;
    this.lines = lines;
  }

  /**
   * Returns every violation.
   *
   * @param lines what the runs wrote, in that order
   * @param seen processes of runs in {@code /proc}
   * @param outcomes the accepted jobs
   */
  public static List<Finding> judge(
      RunLimits limits, List<RunLine> lines, List<Sighting> seen, List<JobOutcome> outcomes) {
    RunJudge judge = new RunJudge(limits, lines);
    judge.said();
    judge.begins();
    judge.lives(seen);
    outcomes.forEach(judge::outcome);
    return judge.findings;
  }

  private void found(Kind kind, String what, Object... of) {
    findings.add(new Finding(kind, what.formatted(of)));
  }

  private Stream<RunLine> of(String what) {
    return lines.stream().filter(line -> line.what().equals(what));
  }

  private void said() {
    of("over")
        .forEach(
            line ->
                found(
                    Kind.OVER_LIMIT,
                    "run %s on %s found no lock of %s free",
                    line.id(),
                    line.host(),
                    line.more()));
    of("twice")
        .forEach(
            line ->
                found(Kind.DUPLICATED, "job %s was alive as run %s began", line.key(), line.id()));
  }

  /** Checks that no run begins twice, and that runs of a job begin in their order. */
  private void begins() {
    Map<String, RunLine> last = new HashMap<>();
    of("at")
        .forEach(
            line -> {
              RunLine before = last.put(line.key(), line);
              if (before != null && before.run() == line.run()) {
                found(Kind.DUPLICATED, "run %s began twice", line.id());
              } else if (before != null
                  && (before.run() > line.run() || before.epoch() >= line.epoch())) {
                found(
                    Kind.DUPLICATED,
                    "run %s of epoch %d began after run %s of epoch %d",
                    line.id(),
                    line.epoch(),
                    before.id(),
                    before.epoch());
              }
            });
  }

  private void lives(List<Sighting> seen) {
    List<Life> lives = sure(seen);
    count("type", lives, RunLine::type, type -> limits.types().get(type));
    count("label", lives, RunLine::label, label -> limits.labels().get(label));
    count("host", lives, RunLine::host, host -> limits.host());
    count(
        "type and host",
        lives,
        line -> line.type() + " " + line.host(),
        share -> limits.shares().get(share.substring(0, share.indexOf(' '))));
    exceeds(lives, RunLine::key, key -> 1)
        .forEach((key, most) -> found(Kind.DUPLICATED, "job %s: %s", key, most));
  }

  private void count(
      String of,
      List<Life> lives,
      Function<RunLine, String> group,
      Function<String, @Nullable Integer> limit) {
    exceeds(lives, group, limit)
        .forEach((name, most) -> found(Kind.OVER_LIMIT, "%s %s: %s", of, name, most));
  }

  /** Returns the times in which runs were certainly alive. */
  private List<Life> sure(List<Sighting> seen) {
    Map<String, Long> last = new HashMap<>();
    for (RunLine line : lines) {
      last.merge(line.id(), line.atNs(), Math::max);
    }
    for (Sighting sighting : seen) {
      last.merge(sighting.id(), sighting.atNs(), Math::max);
    }
    Map<String, Life> lives = new LinkedHashMap<>();
    of("at")
        .forEach(
            line -> {
              long from = line.atNs() + RunLine.RESOLUTION_NS;
              long until = last.getOrDefault(line.id(), from);
              if (until > from) {
                lives.putIfAbsent(line.id(), new Life(line, from, until));
              }
            });
    return List.copyOf(lives.values());
  }

  /** Returns, by group, the first instant at which more runs were alive than its limit allows. */
  private static Map<String, String> exceeds(
      List<Life> lives,
      Function<RunLine, String> group,
      Function<String, @Nullable Integer> limit) {
    List<Edge> edges = new ArrayList<>();
    for (Life life : lives) {
      edges.add(new Edge(life.fromNs(), 1, life));
      edges.add(new Edge(life.untilNs(), -1, life));
    }
    edges.sort(Comparator.comparingLong(Edge::atNs).thenComparingInt(Edge::by));
    Map<String, Set<String>> alive = new TreeMap<>();
    Map<String, String> exceeded = new TreeMap<>();
    for (Edge edge : edges) {
      String name = group.apply(edge.life().begin());
      Set<String> its = alive.computeIfAbsent(name, n -> new HashSet<>());
      if (edge.by() < 0) {
        its.remove(edge.life().begin().id());
        continue;
      }
      its.add(edge.life().begin().id());
      Integer most = limit.apply(name);
      if (most != null && its.size() > most) {
        exceeded.putIfAbsent(
            name,
            "%d alive at %d ms, the limit is %d: %s"
                .formatted(
                    its.size(),
                    edge.atNs() / 1_000_000,
                    most,
                    its.stream().sorted().limit(most + SHOWN).toList()));
      }
    }
    return exceeded;
  }

  private void outcome(JobOutcome job) {
    String state = String.valueOf(job.state());
    if (job.state() == null) {
      found(Kind.LOST, "job %s was accepted and is not there", job.key());
    } else if (job.confirmed() && !state.equals("CANCELLED")) {
      found(Kind.LOST, "job %s was cancelled and is %s", job.key(), state);
    } else if (!job.kind().ends().contains(state)
        && !(state.equals("CANCELLED") && job.cancelled())) {
      found(Kind.LOST, "job %s of kind %s is %s", job.key(), job.kind(), state);
    }
    if (state.equals("SUCCEEDED") && !saidSo(job.key())) {
      found(Kind.LOST, "job %s is SUCCEEDED, and its last run did not come to its end", job.key());
    }
    if (state.equals("DEAD")) {
      dead(job);
    }
  }

  /** Returns whether the last run of a job came to its end. */
  private boolean saidSo(String key) {
    int last = runs("at", key).mapToInt(RunLine::run).max().orElse(0);
    return runs("done", key).anyMatch(line -> line.run() == last);
  }

  private void dead(JobOutcome job) {
    long failed = runs("failed", job.key()).count();
    if (job.kind() == JobKind.FAILING && failed < job.kind().attempts()) {
      found(
          Kind.LOST,
          "job %s is DEAD after %d attempts of %d",
          job.key(),
          failed,
          job.kind().attempts());
    } else if (runs("done", job.key()).findAny().isPresent()) {
      found(Kind.LOST, "job %s is DEAD, and a run came to its end", job.key());
    }
  }

  private Stream<RunLine> runs(String what, String key) {
    return of(what).filter(line -> line.key().equals(key));
  }
}
