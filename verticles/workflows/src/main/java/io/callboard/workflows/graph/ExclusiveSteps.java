package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.BitSet;

/**
 * Pairs of steps that never both succeed in an instance: one needs the success of a step, the other
 * its failure, over any path. Takes up to four bits for each pair of steps.
 */
@Machine
public final class ExclusiveSteps {
  private final Requirements[] all;

  /** Finds the exclusive steps of a graph. */
  public ExclusiveSteps(StepGraph graph) {
    this.all = Requirements.all(graph);
  }

  /** Returns whether two steps never both succeed. */
  public boolean areExclusive(int one, int other) {
    BitSet successes = all[one].successesWith(one);
    successes.or(all[other].successesWith(other));
    return all[one].failsOneOf(successes) || all[other].failsOneOf(successes);
  }
}
