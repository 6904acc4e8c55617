package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Steps of an ended run that begin anew in its next round, each with all steps that wait for it, so
 * that steps that stay as they are depend only on steps that stay.
 */
@Machine
public final class NextRound {
  private NextRound() {}

  /**
   * Returns the steps of a retry: what failed the run, was cancelled or undone, and all that were
   * settled after it, but for steps with {@code join: any} that another edge had decided.
   *
   * @param winner position of the edge that decided a step with {@code join: any}, -1 for none
   * @param undone whether a step was undone, also if that failed
   */
  public static BitSet retry(
      StepGraph graph, GraphRun run, IntUnaryOperator winner, IntPredicate undone) {
    return steps(graph, run, step -> run.fails(step) || undone.test(step), winner);
  }

  /**
   * Returns the steps of a run from a step: that one, what was cancelled or undone, and all behind.
   *
   * @param undone whether a step was undone, also if that failed
   */
  public static BitSet from(StepGraph graph, GraphRun run, int from, IntPredicate undone) {
    return steps(graph, run, step -> step == from || undone.test(step), step -> -1);
  }

  private static BitSet steps(
      StepGraph graph, GraphRun run, IntPredicate first, IntUnaryOperator winner) {
    BitSet again = new BitSet(graph.size());
    for (int step : graph.order()) {
      boolean begins =
          first.test(step) || run.state(step) == StepState.CANCELLED || graph.isLast(step);
      int decided = winner.applyAsInt(step);
      int[] sources = graph.sources(step);
      if (begins
          || (decided < 0
              ? Arrays.stream(sources).anyMatch(again::get)
              : again.get(sources[decided]))) {
        again.set(step);
      }
    }
    return again;
  }
}
