package io.callboard.bootstrap.config;

import io.callboard.codecs.Suggestions;
import java.util.List;

/** A failure that the user can fix: one line and an exit code, no stack trace. */
public final class StartupFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The command could not do its work. */
  public static final int FAILED = 1;

  /** The command line, the environment or the configuration is wrong. */
  public static final int USAGE = 2;

  /** Remedy for a data directory that cannot be used. */
  public static final String ANOTHER_DATA_DIRECTORY = "; choose another with --data";

  private final int exitCode;

  private StartupFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public static StartupFailure failed(String message) {
    return new StartupFailure(FAILED, message);
  }

  public static StartupFailure usage(String message) {
    return new StartupFailure(USAGE, message);
  }

  /**
   * A name that means nothing here.
   *
   * @param what it was taken for, and where it is
   */
  static StartupFailure unknown(String what, String given, List<String> known) {
    return usage("%s \"%s\"%s".formatted(what, given, Suggestions.hint(given, known)));
  }

  public int exitCode() {
    return exitCode;
  }
}
