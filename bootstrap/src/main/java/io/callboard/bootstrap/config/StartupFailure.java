package io.callboard.bootstrap.config;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.model.PollersException;
import java.util.List;

/** A failure that the user can fix: one line and an exit code, no stack trace. */
public final class StartupFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit code if the command could not do its work. */
  public static final int FAILED = 1;

  /** Exit code if the command line, the environment or the configuration is wrong. */
  public static final int USAGE = 2;

  /** Remedy for a data directory that cannot be used. */
  public static final String ANOTHER_DATA_DIRECTORY = "; choose another with --data";

  private final int exitCode;

  private StartupFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Returns a failure with exit code {@link #FAILED}. */
  public static StartupFailure failed(String message) {
    return new StartupFailure(FAILED, message);
  }

  /** Returns a failure with exit code {@link #USAGE}. */
  public static StartupFailure usage(String message) {
    return new StartupFailure(USAGE, message);
  }

  /**
   * Returns a failure for an unknown name.
   *
   * @param what kind of the name, and where it stands
   */
  static StartupFailure unknown(String what, String given, List<String> known) {
    return usage("%s \"%s\"%s".formatted(what, given, Suggestions.hint(given, known)));
  }

  /**
   * Checks that there are no mistakes in a configuration.
   *
   * @param where names it in the failure
   */
  static void requireNone(String where, List<FieldDefect> defects) {
    if (!defects.isEmpty()) {
      throw usage("%s: %s".formatted(where, FieldDefect.line(defects)));
    }
  }

  /**
   * Returns the failure of sources, with all that is wrong with them.
   *
   * @param where names the configuration
   * @param remedy what to do, after the message; may be empty
   */
  public static StartupFailure sources(String where, PollersException e, String remedy) {
    return usage(SourcesOptions.defects(where, e) + remedy);
  }

  public int exitCode() {
    return exitCode;
  }
}
