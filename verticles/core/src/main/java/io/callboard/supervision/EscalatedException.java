package io.callboard.supervision;

/**
 * A failure that no supervisor of the node could handle, so that the node closed. The cause is the
 * failure that was escalated.
 */
public final class EscalatedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EscalatedException(String whose, Throwable cause) {
    super(
        "%s could not go on, and nothing above it could mend that: %s"
            .formatted(whose, Failure.text(cause)),
        cause);
  }
}
