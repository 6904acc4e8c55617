package io.callboard.workflows.merge;

/** Outputs that cannot be merged. The message says why, for people. */
public final class MergeException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public MergeException(String message) {
    super(message);
  }

  /**
   * Creates the exception.
   *
   * @param cause what an own merger threw
   */
  public MergeException(String message, Throwable cause) {
    super(message, cause);
  }
}
