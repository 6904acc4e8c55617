package io.callboard.workflows.graph;

/** Decision on a step of an instance. */
public sealed interface StepDecision {
  /** Returns the index of the step in its graph. */
  int step();

  /**
   * The step is ready.
   *
   * @param step index of the step
   * @param winner position of the edge that was first, with {@code join: any}; -1 otherwise
   */
  record Ready(int step, int winner) implements StepDecision {}

  /**
   * The step is skipped; that settles it.
   *
   * @param step index of the step
   * @param reason why
   * @param winner position of the edge that was first, with {@code join: any}; -1 otherwise
   */
  record Skip(int step, SkipReason reason, int winner) implements StepDecision {}

  /**
   * The step is cancelled before it was ready, which is its settlement.
   *
   * @param step index of the step
   */
  record Drop(int step) implements StepDecision {}

  /**
   * The step is ready or has begun, and is to be cancelled; its settlement is still to come.
   *
   * @param step index of the step
   */
  record Abort(int step) implements StepDecision {}
}
