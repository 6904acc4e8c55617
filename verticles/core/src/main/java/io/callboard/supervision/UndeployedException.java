package io.callboard.supervision;

/** A supervisor was undeployed by somebody else than the one above it. */
public final class UndeployedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UndeployedException(String what) {
    super(what + " was undeployed from outside: use Callboard.stop or close instead");
  }
}
