package io.callboard.zookeeper.faults;

import io.callboard.testkit.Waits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A JVM that ends with this one, whatever happens. */
final class ChildProcess implements AutoCloseable {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Process process;

  private ChildProcess(Process process) {
    this.process = process;
    RUNNING.add(process);
  }

  /**
   * Starts {@code main}, which ends when its standard input does.
   *
   * @param log what it prints is appended there
   */
  static ChildProcess start(Path log, List<String> jvm, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(ChildClasses.java());
    command.add("-Xmx256m");
    command.addAll(jvm);
    command.add(main);
    command.addAll(List.of(arguments));
    Files.createDirectories(log.toAbsolutePath().getParent());
    File output = log.toFile();
    return new ChildProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
            .start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    Waits.ended(process);
    RUNNING.remove(process);
  }

  /** SIGSTOP. */
  void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT. */
  void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", name, String.valueOf(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("kill %s ended with %d".formatted(name, code));
    }
  }

  /** Asks it to end, and ends it if it does not. */
  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
    RUNNING.remove(process);
  }
}
