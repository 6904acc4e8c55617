package io.callboard.bootstrap;

import io.callboard.bootstrap.TutorialPage.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** The terminal of somebody who follows the tutorial: one shell, with its background processes. */
final class TutorialShell implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String END = "--- end of the commands ---";

  /** What a terminal does not print. */
  private static final Pattern COLOURS = Pattern.compile("\u001B\\[[0-9;]*m");

  private final Process shell;
  private final Writer input;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * Starts a shell in an empty directory.
   *
   * @param tools directory of programs that come first in its path
   */
  TutorialShell(Path directory, Path tools) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "--noprofile", "--norc")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    environment.put("PATH", tools + ":" + java + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    // for processes that live for seconds
    environment.put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m");
    shell = builder.start();
    input = shell.outputWriter(StandardCharsets.UTF_8);
    BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
    Thread reader = new Thread(() -> output.lines().forEach(lines::add), "tutorial-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Runs commands, again if they only look, until the expected output is there. */
  void run(Commands commands) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      String output = run(commands.script(), deadlineNs);
      Optional<String> missing = commands.missing(output);
      if (missing.isEmpty()) {
        return;
      }
      if (!commands.look() || System.nanoTime() > deadlineNs) {
        throw new AssertionError(
            "tutorial.md, line %d:%n%s%nlacks \"%s\" in its output:%n%s"
                .formatted(commands.line(), commands.script(), missing.get(), output));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private String run(String script, long deadlineNs) throws IOException, InterruptedException {
    input.write("{\n%s} < /dev/null\necho; echo '%s'\n".formatted(script, END));
    input.flush();
    StringBuilder output = new StringBuilder();
    while (true) {
      String line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("no end within %s:%n%s%n%s".formatted(LIMIT, script, output));
      } else if (line.equals(END)) {
        return output.toString();
      }
      output.append(COLOURS.matcher(line).replaceAll("")).append('\n');
    }
  }

  /** Writes a program that comes first in the path of shells. */
  static void tool(Path directory, String name, String script) throws IOException {
    Path file = Files.createDirectories(directory).resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("%s cannot be made executable".formatted(file));
    }
  }

  /** Kills all processes that the commands have started and left. */
  @Override
  public void close() {
    shell.descendants().forEach(ProcessHandle::destroyForcibly);
    shell.destroyForcibly();
  }
}
