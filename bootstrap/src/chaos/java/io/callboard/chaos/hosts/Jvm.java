package io.callboard.chaos.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A Java process of the built jar, which ends with this one at the latest. */
public final class Jvm implements AutoCloseable {
  private static final int END_LIMIT_S = 40;

  /** System property: flags for all processes, so that they start faster. */
  private static final String FLAGS = "chaos.flags";

  /** Exit code of a JVM that was sent SIGTERM. */
  private static final int ENDED_IN_ORDER = 128 + 15;

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-jvms"));
  }

  private final String name;
  private final Process process;

  private Jvm(String name, Process process) {
    this.name = name;
    this.process = process;
    RUNNING.add(process);
  }

  /**
   * Starts a process.
   *
   * @param on what the command begins with
   * @param name name of the process, and of the log to which its output is appended
   * @param classPath class path, the jar first
   */
  public static Jvm start(
      List<String> on,
      String name,
      Path directory,
      List<String> flags,
      String classPath,
      String main,
      List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(on);
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+HeapDumpOnOutOfMemoryError"));
    command.add("-Djava.net.preferIPv4Stack=true");
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-Dvertx.cacheDirBase=" + temporary.resolve("vertx-cache"));
    command.addAll(List.of(System.getProperty(FLAGS, "").split(" ")));
    command.removeIf(String::isEmpty);
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    Path log = directory.resolve(name + ".log");
    return new Jvm(
        name,
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  public void kill() throws Exception {
    requireAlive();
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGSTOP: it does nothing, and its connections stay. */
  public void freeze() throws Exception {
    signal("-STOP");
  }

  /** SIGCONT. */
  public void thaw() throws Exception {
    signal("-CONT");
  }

  /** SIGTERM, and waits until it has ended; kills one that does not. */
  public void terminate() throws Exception {
    signal("-TERM");
    if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
      kill();
      throw new IOException("%s did not end within %d s".formatted(name, END_LIMIT_S));
    }
    if (process.exitValue() != ENDED_IN_ORDER) {
      throw new IOException("%s ended with code %d".formatted(name, process.exitValue()));
    }
    RUNNING.remove(process);
  }

  /** Makes the process fail to write beyond that file size. */
  public void limitFiles(long bytes) throws Exception {
    fileSize(String.valueOf(bytes));
  }

  /** Removes that limit. */
  public void liftLimit() throws Exception {
    fileSize("unlimited");
  }

  /** Sets the soft limit only, as raising the hard one takes a privilege. */
  private void fileSize(String limit) throws Exception {
    run("prlimit", "--pid", String.valueOf(pid()), "--fsize=" + limit + ":");
  }

  public void awaitEnd() throws Exception {
    if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
      throw new IOException("%s did not end within %d s".formatted(name, END_LIMIT_S));
    }
    RUNNING.remove(process);
  }

  /** Returns how the process ended by itself; empty if it runs. */
  public Optional<String> ended() {
    return process.isAlive()
        ? Optional.empty()
        : Optional.of("%s ended by itself, with code %d".formatted(name, process.exitValue()));
  }

  /** Returns the exit code of the process; empty if it runs. */
  public OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  private void requireAlive() throws IOException {
    Optional<String> ended = ended();
    if (ended.isPresent()) {
      throw new IOException(ended.get());
    }
  }

  private void signal(String signal) throws Exception {
    requireAlive();
    run("kill", signal, String.valueOf(pid()));
  }

  private void run(String... command) throws Exception {
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException(
          "%s of %s ended with %d".formatted(String.join(" ", command), name, code));
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    awaitEnd();
  }
}
