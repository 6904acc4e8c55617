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
  /** Kind of a defect. */
  public enum Code {
    /** Steps wait for each other in a circle. */
    WF001(true),
    /** An edge or a condition names a step that does not exist. */
    WF002(true),
    /** A step waits, over others, for a circle or for a step that does not exist. */
    WF003(true),
    /** Two steps have the same id. */
    WF004(true),
    /** Two edges lead from the same step to the same step. */
    WF005(true),
    /** A join needs both the success and the failure of a step. */
    WF006(true),
    /** No worker offers the type of a step now. */
    WF007(false),
    /** A merge can meet two values for the same place. */
    WF008(false),
    /** The definition exceeds a limit. */
    WF009(true),
    /** The definition has no steps. */
    WF010(true),
    /** The condition of an edge is not a known word. */
    WF011(true),
    /** What a step is to run is of no known kind. */
    WF012(true),
    /** A value of a step is not valid: its {@code when}, a duration, a name. */
    WF013(true);

    private final boolean error;

    Code(boolean error) {
      this.error = error;
    }

    /** Returns whether the definition is refused; a warning if not. */
    public boolean isError() {
      return error;
    }
  }

  @Override
  public String toString() {
    return "%s at %s: %s%s".formatted(code, pointer, message, hint.isEmpty() ? "" : "; " + hint);
  }
}
