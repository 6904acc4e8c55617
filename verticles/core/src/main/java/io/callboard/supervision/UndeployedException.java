package io.callboard.supervision;

/** Failure of a supervisor that was undeployed by other code than the supervisor above it. */
public final class UndeployedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param what names the supervisor that was undeployed
   */
  public UndeployedException(String what) {
    super(what + " was undeployed by the application: use Callboard.stop or close instead");
  }
}
