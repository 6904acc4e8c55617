package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Steps that are certainly settled before a step runs: those before it over any of its edges; with
 * {@code join: any} only those before each source, because the first source suffices; before a
 * finally step, all steps that are not in its section. Takes a bit for each pair of steps.
 */
@Machine
public final class StepAncestors {
  private final SoundSteps steps;
  private final @Nullable BitSet[] before; // null where a defect leaves it open

  /** Finds the ancestors of all steps of a definition. */
  public StepAncestors(SoundSteps steps) {
    this.steps = steps;
    this.before = new BitSet[steps.size()];
    for (int step : steps.order()) {
      before[step] = steps.step(step).join() == Join.ANY ? ofAny(step) : ofAll(step);
    }
  }

  private @Nullable BitSet ofAll(int step) {
    if (!steps.isSound(step)) {
      return null;
    }
    BitSet all = new BitSet();
    for (int source : steps.sources(step)) {
      BitSet its = before[source];
      if (its == null) {
        return null;
      }
      all.set(source);
      all.or(its);
    }
    return all;
  }

  private @Nullable BitSet ofAny(int step) {
    BitSet common = null;
    for (int source : steps.sources(step)) {
      BitSet its = before[source];
      if (its != null) {
        BitSet over = (BitSet) its.clone();
        over.set(source);
        if (common == null) {
          common = over;
        } else {
          common.and(over);
        }
      }
    }
    return common == null && steps.step(step).after().isEmpty() ? new BitSet() : common;
  }

  /**
   * Returns whether {@code other} is settled before {@code step} runs, in any case; true if a
   * defect leaves that open.
   */
  public boolean isBefore(int other, int step) {
    BitSet its = before[step];
    return its == null || its.get(other) || (steps.step(step).last() && !steps.step(other).last());
  }
}
