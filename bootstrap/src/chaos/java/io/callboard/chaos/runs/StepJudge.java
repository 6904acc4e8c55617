package io.callboard.chaos.runs;

import io.callboard.chaos.runs.RunJudge.Finding;
import io.callboard.chaos.runs.RunJudge.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judge of workflows by what their steps wrote, without a look at what the engine says of them but
 * for the state of each instance.
 *
 * <p>What must be true: no two runs of a step are alive at once, by a lock of the operating system
 * and by their times; those of a step begin in the order of their numbers, and none twice, unless
 * its process had died, with the desk that knew of it; a step begins after each of its sources has
 * come to an end; every step of an instance that succeeded came to an end; every instance that was
 * accepted succeeded. A run that came to its end may be followed by another one: its node may have
 * died before that was known. Where no node died, each step begins once.
 */
public final class StepJudge {
  private final Map<String, List<String>> sources;
  private final Map<String, Steps> instances = new TreeMap<>();
  private final List<Finding> findings = new ArrayList<>();

  /** When each process wrote its last line. */
  private final Map<Long, Long> lastNs = new HashMap<>();

  /** Lines that the steps of one instance have written. */
  private static final class Steps {
    final Map<String, List<StepLine>> begins = new HashMap<>();
    final Map<String, List<StepLine>> ends = new HashMap<>();
  }

  private StepJudge(Map<String, List<String>> sources) {
    this.sources = sources;
  }

  /**
   * Returns every violation.
   *
   * @param sources the steps of the workflow by id, each with those that it waits for
   * @param lines what the runs wrote, in any order
   * @param states the accepted instances by id, with the states in which nodes report them
   * @param once whether no node died, so that each step begins once
   */
  public static List<Finding> judge(
      Map<String, List<String>> sources,
      List<StepLine> lines,
      Map<String, String> states,
      boolean once) {
    StepJudge judge = new StepJudge(sources);
    lines.stream().sorted(Comparator.comparingLong(StepLine::atNs)).forEach(judge::add);
    judge.instances.forEach((id, steps) -> judge.instance(id, steps, once));
    states.forEach(judge::state);
    Set<String> unknown = new HashSet<>(judge.instances.keySet());
    unknown.removeAll(states.keySet());
    unknown.forEach(id -> judge.found(Kind.LOST, "instance %s ran, and no node knows it", id));
    return judge.findings;
  }

  private void found(Kind kind, String what, Object... of) {
    findings.add(new Finding(kind, what.formatted(of)));
  }

  private void add(StepLine line) {
    lastNs.put(line.process(), line.atNs());
    Steps its = instances.computeIfAbsent(line.instance(), id -> new Steps());
    switch (line.what()) {
      case "begin" -> its.begins.computeIfAbsent(line.step(), id -> new ArrayList<>()).add(line);
      case "end" -> its.ends.computeIfAbsent(line.step(), id -> new ArrayList<>()).add(line);
      case "twice" ->
          found(
              Kind.DUPLICATED,
              "another run of %s was alive as run %d began on %s",
              line.id(),
              line.run(),
              line.node());
      default -> found(Kind.LOST, "a line says \"%s\"", line.text());
    }
  }

  private void instance(String id, Steps steps, boolean once) {
    steps.begins.forEach(
        (step, begins) -> {
          if (!sources.containsKey(step)) {
            found(Kind.LOST, "%s ran a step %s that its workflow does not have", id, step);
            return;
          }
          order(begins, steps.ends.getOrDefault(step, List.of()));
          after(begins.get(0), steps);
          if (once && begins.size() > 1) {
            found(
                Kind.DUPLICATED,
                "%s began %d times, though no node died",
                begins.get(0).id(),
                begins.size());
          }
        });
  }

  /** Checks the runs of a step: none twice, in their order, one after the other. */
  private void order(List<StepLine> begins, List<StepLine> ends) {
    for (int i = 1; i < begins.size(); i++) {
      StepLine before = begins.get(i - 1);
      StepLine run = begins.get(i);
      boolean again = run.run() == before.run() && lastNs.get(before.process()) < run.atNs();
      if (run.run() <= before.run() && !again) {
        found(
            Kind.DUPLICATED,
            "run %d of %s began on %s after run %d on %s",
            run.run(),
            run.id(),
            run.node(),
            before.run(),
            before.node());
      }
      for (StepLine end : ends) {
        boolean its = end.run() == before.run() && end.process() == before.process();
        if (its && end.atNs() > run.atNs()) {
          found(
              Kind.DUPLICATED,
              "runs %d and %d of %s were alive at the same time",
              before.run(),
              run.run(),
              run.id());
        }
      }
    }
  }

  /** Checks that a step began after what it waits for. */
  private void after(StepLine begin, Steps steps) {
    for (String source : sources.getOrDefault(begin.step(), List.of())) {
      List<StepLine> ends = steps.ends.getOrDefault(source, List.of());
      if (ends.isEmpty() || ends.get(0).atNs() > begin.atNs()) {
        found(Kind.REORDERED, "%s began before %s had ended", begin.id(), source);
      }
    }
  }

  private void state(String id, String state) {
    if (!state.equals("SUCCEEDED")) {
      found(Kind.LOST, "instance %s was accepted and is %s", id, state.isEmpty() ? "gone" : state);
      return;
    }
    Steps its = instances.getOrDefault(id, new Steps());
    for (String step : sources.keySet()) {
      if (!its.ends.containsKey(step)) {
        found(Kind.LOST, "instance %s succeeded, and its %s never came to an end", id, step);
      }
    }
  }
}
