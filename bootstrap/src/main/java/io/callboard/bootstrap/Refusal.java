package io.callboard.bootstrap;

/** Something a user can mend: told in one line, without a stack trace. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The command could not do its work. */
  static final int FAILED = 1;

  /** The command line, the environment or the configuration is wrong. */
  static final int USAGE = 2;

  private final int exitCode;

  private Refusal(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  static Refusal failed(String message) {
    return new Refusal(FAILED, message);
  }

  static Refusal usage(String message) {
    return new Refusal(USAGE, message);
  }

  int exitCode() {
    return exitCode;
  }
}
