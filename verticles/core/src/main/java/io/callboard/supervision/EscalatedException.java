package io.callboard.supervision;

/**
 * A failure that no supervisor of the node could handle, so that the node closed. The cause is the
 * failure that was escalated.
 */
public final class EscalatedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure of a node that closes.
   *
   * @param whose names the actor or zone that failed
   * @param cause the failure that was escalated
   */
  public EscalatedException(String whose, Throwable cause) {
    super(
        "%s failed, and no supervisor above it could handle the failure: %s"
            .formatted(whose, Causes.text(cause)),
        Causes.readable(cause));
  }
}
