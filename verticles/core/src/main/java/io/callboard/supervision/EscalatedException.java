package io.callboard.supervision;

/**
 * What no supervisor of a node could mend, so that its application ends. The cause is the failure
 * that was escalated.
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
