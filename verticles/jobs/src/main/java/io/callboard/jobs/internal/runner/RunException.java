package io.callboard.jobs.internal.runner;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Failure to start a run or to use its files; the {@link Kind} says what to do. */
public final class RunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of failure. */
  public enum Kind {
    /** Request that cannot be run as it is: final. */
    INVALID(126),
    /**
     * Arguments that the handler of this host cannot read; one of another version may, so the run
     * is given back.
     */
    MISFIT(126),
    /** Command that does not exist on this host; another host may have it. */
    NOT_FOUND(127),
    /** Command that exists but may not be executed. */
    NOT_EXECUTABLE(126),
    /** Lack of a process, memory or descriptor; try later or elsewhere. */
    NO_RESOURCES(125),
    /**
     * Handler that this host does not offer now, or that got no thread of its zone in time; another
     * host, or this one later, may run it.
     */
    NO_HANDLER(125),
    /** Data directory that cannot be used; an operator must look. */
    DIRECTORY(125),
    /** Run that was started before, perhaps by an earlier boot; never start it again. */
    ALREADY_STARTED(125),
    /** Run that was refused before, or whose grant is older than this host's term; nothing ran. */
    REFUSED(125),
    /** Run that was killed before its start; nothing ran. */
    KILLED(137),
    /**
     * Run that its host gave up with all others before its start; nothing ran, and this is no
     * outcome.
     */
    ABANDONED(137),
    /** Runner that was closed; nothing ran. */
    CLOSED(125);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }
  }

  private final Kind kind;

  private RunException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of failure. */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns whether the host is to blame, not the run: another host, or this one later, may start
   * it.
   */
  public boolean isOfHost() {
    return kind == Kind.NO_RESOURCES || kind == Kind.DIRECTORY;
  }

  /** Returns whether another attempt must end the same. */
  public boolean isFinal() {
    return kind == Kind.INVALID || kind == Kind.NOT_FOUND || kind == Kind.NOT_EXECUTABLE;
  }

  /**
   * Returns the code that a shell would return: 127 not found, 126 not executable, 137 killed; 125
   * for the rest.
   */
  public int exitCode() {
    return kind.exitCode;
  }

  /** Returns a failure of kind {@link Kind#INVALID}. */
  public static RunException invalid(String message) {
    return new RunException(Kind.INVALID, message, null);
  }

  /** Returns a failure of kind {@link Kind#MISFIT}. */
  public static RunException misfit(String message) {
    return new RunException(Kind.MISFIT, message, null);
  }

  /** Returns a failure of kind {@link Kind#NOT_FOUND}. */
  public static RunException notFound(String command, String host) {
    String where =
        command.contains("/") ? "does not exist on host " : "was not found on the PATH of host ";
    return new RunException(Kind.NOT_FOUND, "command \"" + command + "\" " + where + host, null);
  }

  /** Returns a failure of kind {@link Kind#NOT_EXECUTABLE}. */
  public static RunException notExecutable(String command, String host) {
    return new RunException(
        Kind.NOT_EXECUTABLE, "command \"" + command + "\" is not executable on host " + host, null);
  }

  /** Returns a failure of kind {@link Kind#NO_RESOURCES}. */
  public static RunException noResources(String command, String host, Throwable cause) {
    String message = "host " + host + " has no resources left to start \"" + command + "\": ";
    return new RunException(Kind.NO_RESOURCES, message + cause.getMessage(), cause);
  }

  /**
   * Returns a failure of kind {@link Kind#DIRECTORY}.
   *
   * @param doing the attempted action, as a verb
   */
  public static RunException directory(String doing, Path path, Throwable cause) {
    return new RunException(
        Kind.DIRECTORY,
        "%s: cannot %s %s%s".formatted(reason(cause), doing, path, within(path, cause)),
        cause);
  }

  /** Returns which file is meant, if it is not that one. */
  private static String within(Path path, Throwable cause) {
    String file = cause instanceof FileSystemException files ? files.getFile() : null;
    return file == null || file.equals(path.toString()) ? "" : " (" + file + ")";
  }

  /** Returns what is wrong, without a path: it is read before the path, which may be long. */
  private static String reason(Throwable cause) {
    boolean says = cause instanceof IOException && !(cause instanceof CharacterCodingException);
    String reason = says && !(cause instanceof EOFException) ? cause.getMessage() : null;
    if (cause instanceof FileSystemException files) { // its message is the path, and the reason
      reason = files.getReason();
      if (reason == null && cause.getClass() != FileSystemException.class) {
        String kind = cause.getClass().getSimpleName().replaceFirst("Exception$", "");
        reason = kind.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
      }
    }
    return reason == null ? cause.toString() : reason;
  }

  /** Returns a failure of kind {@link Kind#DIRECTORY} for another reason. */
  public static RunException unusable(String message) {
    return new RunException(Kind.DIRECTORY, message, null);
  }

  /** Returns a failure of kind {@link Kind#NO_HANDLER}. */
  public static RunException noHandler(String message) {
    return new RunException(Kind.NO_HANDLER, message, null);
  }

  /** Returns a failure of kind {@link Kind#ALREADY_STARTED}. */
  public static RunException alreadyStarted(RunKey key) {
    return new RunException(Kind.ALREADY_STARTED, "run " + key + " was started before", null);
  }

  /** Returns a failure of kind {@link Kind#REFUSED}. */
  public static RunException refused(RunKey key) {
    return new RunException(
        Kind.REFUSED,
        "run " + key + " is refused: it may have been reported as lost already",
        null);
  }

  /** Returns a failure of kind {@link Kind#KILLED} or {@link Kind#ABANDONED}. */
  public static RunException killed(RunKey key, boolean abandoned, String reason) {
    Kind kind = abandoned ? Kind.ABANDONED : Kind.KILLED;
    return new RunException(kind, "run " + key + " did not start: " + reason, null);
  }

  /** Returns a failure of kind {@link Kind#CLOSED}. */
  public static RunException closed() {
    return new RunException(Kind.CLOSED, "the host takes no runs any more", null);
  }
}
