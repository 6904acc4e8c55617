package io.callboard.workflows.graph;

/**
 * Reason for which a step was skipped.
 *
 * @param edge position of its first unsatisfied edge, in the order of declaration; -1 if its
 *     condition {@code when} was false
 */
public record SkipReason(int edge) {
  /** The condition of the step was false. */
  public static final SkipReason WHEN = new SkipReason(-1);

  /** Returns the reason for people: {@code when}, or the edge and how its source settled. */
  public String text(GraphStep step, StepState source) {
    if (edge < 0) {
      return "when";
    }
    StepEdge unsatisfied = step.after().get(edge);
    return "%s of %s, which is %s"
        .formatted(unsatisfied.on().word(), unsatisfied.from(), source.name());
  }
}
