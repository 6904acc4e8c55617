package io.callboard.bootstrap.config;

import io.callboard.codecs.Suggestions;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** A failure that the user can fix: one line and an exit code, no stack trace. */
public final class StartupFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The command could not do its work. */
  public static final int FAILED = 1;

  /** The command line, the environment or the configuration is wrong. */
  public static final int USAGE = 2;

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

  /** Why a file could not be used, without the class of the exception and the file's name. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "access denied";
    } else if (e instanceof NoSuchFileException) {
      return "there is no such file or directory";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? "it is of the wrong kind" : reason;
  }

  public int exitCode() {
    return exitCode;
  }
}
