package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.GraphRun;
import io.callboard.workflows.graph.NextRound;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps of an instance that begin anew when it is retried or run again from a step, by {@link
 * NextRound}.
 *
 * @param from step from which it is run again; null for a retry
 * @param steps ids of the steps
 */
@Machine
public record Reopening(@Nullable String from, List<String> steps) {
  /** Copies the list. */
  public Reopening {
    steps = List.copyOf(steps);
  }

  /** Returns a retry of an instance that has ended. */
  public static Reopening retry(InstanceProgress its) {
    return of(
        its,
        null,
        NextRound.retry(
            its.definition().graph(),
            its.run(),
            step -> winner(its, step),
            step -> its.record(step).undo() != null));
  }

  /** Returns a rerun of an instance that has ended, from a step of its definition. */
  public static Reopening rerun(InstanceProgress its, String from) {
    StepGraph graph = its.definition().graph();
    GraphRun run = its.run();
    int step = graph.index(from).orElseThrow();
    return of(its, from, NextRound.from(graph, run, step, each -> its.record(each).undo() != null));
  }

  private static int winner(InstanceProgress its, int step) {
    Integer winner = its.record(step).winner();
    return winner == null ? -1 : winner;
  }

  private static Reopening of(InstanceProgress its, @Nullable String from, BitSet again) {
    return new Reopening(
        from,
        Arrays.stream(its.definition().graph().order())
            .filter(step -> again.get(step) && its.record(step).state() != StepState.PENDING)
            .mapToObj(its::id)
            .toList());
  }
}
