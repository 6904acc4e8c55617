package io.callboard.workflows.model;

/** Failure of a step that another attempt would only repeat: it is not retried. */
public class PermanentStepException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure. */
  public PermanentStepException(String message) {
    super(message);
  }

  /** Creates a failure with a cause. */
  public PermanentStepException(String message, Throwable cause) {
    super(message, cause);
  }
}
