package io.callboard.jobs.process.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A run was not started, or its files could not be used; the {@link Kind} says what to do. */
public final class RunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** The request cannot be run as it is: terminal. */
    INVALID(126),
    /** There is no such command on this host: another host may have it. */
    NOT_FOUND(127),
    /** The command is there but may not be executed. */
    NOT_EXECUTABLE(126),
    /** No process, memory or descriptor left: try later or elsewhere. */
    NO_RESOURCES(125),
    /** The data directory cannot be used: an operator must look. */
    DIRECTORY(125),
    /** This run id was started before, perhaps by an earlier boot: never start it again. */
    ALREADY_STARTED(125),
    /** It was refused before, or its grant is older than this host's term: nothing ran. */
    REFUSED(125),
    /** A kill came before the start: nothing ran. */
    KILLED(137),
    /** The host gave up all its runs before the start: nothing ran, and this is no outcome. */
    ABANDONED(137),
    /** The runner was closed: nothing ran. */
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

  public Kind kind() {
    return kind;
  }

  /**
   * Whether the host is to blame, and not the run: another host, or this one later, may start it.
   */
  public boolean isOfHost() {
    return kind == Kind.NO_RESOURCES || kind == Kind.DIRECTORY;
  }

  /** Whether another attempt must end the same. */
  public boolean isFinal() {
    return kind == Kind.INVALID || kind == Kind.NOT_FOUND || kind == Kind.NOT_EXECUTABLE;
  }

  /** The code that a shell would return: 127 not found, 126 not executable; 125 for the rest. */
  public int exitCode() {
    return kind.exitCode;
  }

  public static RunException invalid(String message) {
    return new RunException(Kind.INVALID, message, null);
  }

  public static RunException notFound(String command, String host) {
    String where =
        command.contains("/") ? "does not exist on host " : "was not found on the PATH of host ";
    return new RunException(Kind.NOT_FOUND, "command \"" + command + "\" " + where + host, null);
  }

  public static RunException notExecutable(String command, String host) {
    return new RunException(
        Kind.NOT_EXECUTABLE, "command \"" + command + "\" is not executable on host " + host, null);
  }

  public static RunException noResources(String command, String host, Throwable cause) {
    String message = "host " + host + " has no resources left to start \"" + command + "\": ";
    return new RunException(Kind.NO_RESOURCES, message + cause.getMessage(), cause);
  }

  public static RunException directory(String doing, Path path, Throwable cause) {
    return new RunException(Kind.DIRECTORY, "cannot " + doing + ' ' + path + ": " + cause, cause);
  }

  public static RunException unusable(String message) {
    return new RunException(Kind.DIRECTORY, message, null);
  }

  public static RunException alreadyStarted(RunKey key) {
    return new RunException(Kind.ALREADY_STARTED, "run " + key + " was started before", null);
  }

  public static RunException refused(RunKey key) {
    return new RunException(
        Kind.REFUSED,
        "run " + key + " is refused: it may have been reported as lost already",
        null);
  }

  public static RunException killed(RunKey key, boolean abandoned, String reason) {
    Kind kind = abandoned ? Kind.ABANDONED : Kind.KILLED;
    return new RunException(kind, "run " + key + " did not start: " + reason, null);
  }

  public static RunException closed() {
    return new RunException(Kind.CLOSED, "the process runner is closed", null);
  }
}
