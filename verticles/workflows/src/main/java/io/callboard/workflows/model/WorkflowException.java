package io.callboard.workflows.model;

/** Refusal of a request by the workflow engine, of a kind that the {@link Code} names. */
public final class WorkflowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of refusal. */
  public enum Code {
    /** Definition, version, instance or step that does not exist. */
    NOT_FOUND,
    /** Instance in a state that does not allow the request; the message names the state. */
    ILLEGAL_STATE,
    /** Invalid request; the message names the field. */
    INVALID,
    /** Limit that is reached; the message names it. */
    OVERLOADED,
    /** Request without an answer in time, or without a quorum; the outcome is unknown. */
    UNAVAILABLE
  }

  private final Code code;
  private final String pointer;

  /**
   * Creates a refusal because of one field.
   *
   * @param pointer JSON pointer of the field
   */
  public WorkflowException(Code code, String pointer, String message) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }

  /** Creates a refusal that is not due to a field. */
  public WorkflowException(Code code, String message) {
    this(code, "", message);
  }

  /** Returns the kind of refusal. */
  public Code code() {
    return code;
  }

  /** Returns the JSON pointer of the invalid field; empty if none is. */
  public String pointer() {
    return pointer;
  }

  /** Returns the class, the pointer of the invalid field if one is, and the message. */
  @Override
  public String toString() {
    return pointer.isEmpty()
        ? super.toString()
        : "%s: %s: %s".formatted(getClass().getName(), pointer, getMessage());
  }
}
