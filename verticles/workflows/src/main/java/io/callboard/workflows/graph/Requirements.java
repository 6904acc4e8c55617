package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settlements that a step needs of the steps before it, over any path. A step behind a {@code
 * success} or {@code failure} edge has run, so what its source needed has happened.
 */
@Machine
final class Requirements {
  private final BitSet successes = new BitSet();
  private final BitSet failures = new BitSet();

  private Requirements() {}

  /**
   * Returns the steps that can never run, each with a step whose success and failure it needs.
   *
   * @param order topological order
   */
  static Map<Integer, Integer> of(List<GraphStep> steps, int[][] sources, int[] order) {
    Map<Integer, Integer> contradictions = new LinkedHashMap<>();
    boolean fails =
        steps.stream()
            .flatMap(step -> step.after().stream())
            .anyMatch(edge -> edge.on() == EdgeCondition.FAILURE);
    if (!fails) {
      return contradictions;
    }
    Requirements[] all = new Requirements[steps.size()];
    for (int step : order) {
      all[step] = of(steps.get(step), sources[step], all);
      BitSet both = (BitSet) all[step].successes.clone();
      both.and(all[step].failures);
      if (!both.isEmpty()) {
        contradictions.put(step, both.nextSetBit(0));
        all[step] = new Requirements(); // steps behind it are not reported, too
      }
    }
    return contradictions;
  }

  /** Returns what each step of a graph without contradictions needs, by index. */
  static Requirements[] all(StepGraph graph) {
    Requirements[] all = new Requirements[graph.size()];
    for (int step : graph.order()) {
      all[step] = of(graph.step(step), graph.sources(step), all);
    }
    return all;
  }

  /** Returns the steps whose success is needed, and one more. */
  BitSet successesWith(int step) {
    BitSet with = (BitSet) successes.clone();
    with.set(step);
    return with;
  }

  /** Returns whether the failure of one of some steps is needed. */
  boolean failsOneOf(BitSet steps) {
    return failures.intersects(steps);
  }

  private static Requirements of(GraphStep step, int[] sources, Requirements[] all) {
    Requirements its = new Requirements();
    if (step.join() == Join.ANY && sources.length > 1) {
      return its;
    }
    for (int i = 0; i < sources.length; i++) {
      EdgeCondition on = step.after().get(i).on();
      if (on == EdgeCondition.SUCCESS || on == EdgeCondition.FAILURE) {
        (on == EdgeCondition.SUCCESS ? its.successes : its.failures).set(sources[i]);
        its.successes.or(all[sources[i]].successes);
        its.failures.or(all[sources[i]].failures);
      }
    }
    return its;
  }
}
