package io.callboard.workflows.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.StepRecord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steps of an instance that begin anew when it is retried or run again from a step. Steps of the
 * section {@code finally} always do, and so do steps that were compensated.
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

  /**
   * Returns a retry: what failed, neither allowed to nor handled, or was cancelled, and all steps
   * after it that did not succeed.
   */
  public static Reopening retry(CheckedDefinition definition, InstanceData data) {
    return of(definition, data, null);
  }

  /** Returns a rerun: a step and all that follow it. */
  public static Reopening rerun(CheckedDefinition definition, InstanceData data, String from) {
    return of(definition, data, from);
  }

  private static Reopening of(
      CheckedDefinition definition, InstanceData data, @Nullable String from) {
    StepGraph graph = definition.graph();
    BitSet again = new BitSet(graph.size());
    List<String> steps = new ArrayList<>();
    Set<String> handled = handled(definition, data);
    for (int step : graph.order()) {
      GraphStep its = graph.step(step);
      StepRecord record = data.steps().get(its.id());
      boolean undone = record.undo() != null;
      boolean follows =
          its.after().stream().anyMatch(edge -> again.get(graph.index(edge.from()).orElseThrow()));
      boolean follow = follows && (from != null || undone || record.state() != StepState.SUCCEEDED);
      boolean itself = from == null ? isToRetry(its, record, handled) : from.equals(its.id());
      if (follow || itself || undone || its.last()) {
        again.set(step);
        if (record.state() != StepState.PENDING) {
          steps.add(its.id());
        }
      }
    }
    return new Reopening(from, steps);
  }

  private static boolean isToRetry(GraphStep step, StepRecord record, Set<String> handled) {
    return record.state() == StepState.CANCELLED
        || (record.state() == StepState.FAILED
            && !step.allowFailure()
            && !handled.contains(step.id()));
  }

  /** Returns the steps whose failure, if they failed, is handled by a step that succeeded. */
  static Set<String> handled(CheckedDefinition definition, InstanceData data) {
    Set<String> handled = new HashSet<>();
    for (int step = 0; step < definition.graph().size(); step++) {
      GraphStep its = definition.graph().step(step);
      for (StepEdge edge : its.after()) {
        if (edge.on() == EdgeCondition.FAILURE
            && data.steps().get(its.id()).state() == StepState.SUCCEEDED) {
          handled.add(edge.from());
        }
      }
    }
    return handled;
  }
}
