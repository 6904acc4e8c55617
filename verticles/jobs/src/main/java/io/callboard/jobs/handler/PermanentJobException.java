package io.callboard.jobs.handler;

/** Failure of a handler that another attempt would only repeat: its job is not tried again. */
public final class PermanentJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure. */
  public PermanentJobException(String message) {
    super(message);
  }

  /** Creates a failure with its cause. */
  public PermanentJobException(String message, Throwable cause) {
    super(message, cause);
  }
}
