package io.callboard.workflows.graph;

/**
 * Defect of a definition.
 *
 * @param code what kind of defect
 * @param step id of the step that has it; empty for the definition as a whole
 * @param pointer JSON pointer to its place in the definition
 * @param message what is wrong
 * @param hint what would be right; empty if the message says it
 */
public record GraphDefect(Code code, String step, String pointer, String message, String hint) {
  /**
   * Kind of a defect. All but WF007 and WF008, which are warnings, make a definition unusable;
   * WF014 is a warning about one that is stored already.
   */
  public enum Code {
    /** Steps wait for each other in a cycle. */
    WF001,
    /**
     * An edge, a condition or the {@code args} of a job name a step that does not exist; an edge
     * one of the other section, a condition or {@code args} one that need not be settled before.
     */
    WF002,
    /** A step waits, over others, for a cycle. */
    WF003,
    /** Two steps have the same id. */
    WF004,
    /** Two edges lead from the same step to the same step. */
    WF005,
    /** A join needs both the success and the failure of a step. */
    WF006,
    /** Warning: no worker offers what a step runs, or no node has made the type of its job. */
    WF007,
    /** Warning: the outputs that a step merges may have two values for one place. */
    WF008,
    /** The definition exceeds a limit. */
    WF009,
    /** The definition has no steps. */
    WF010,
    /** The condition of an edge is not a known word. */
    WF011,
    /** The {@code run} of a step is of no known kind. */
    WF012,
    /**
     * A value is not valid: a {@code when}, a duration, a number, a name, parameters, the schema of
     * the input, an unknown field.
     */
    WF013,
    /** A compensation lacks parameters of its own, or they are no object. */
    WF014
  }

  @Override
  public String toString() {
    return "%s at %s: %s%s".formatted(code, pointer, message, hint.isEmpty() ? "" : "; " + hint);
  }
}
