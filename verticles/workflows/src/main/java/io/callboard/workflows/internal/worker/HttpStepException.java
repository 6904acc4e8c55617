package io.callboard.workflows.internal.worker;

/** Failure of an {@code http} step that another attempt may not have. */
final class HttpStepException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure. */
  HttpStepException(String message) {
    super(message, null, false, false);
  }
}
