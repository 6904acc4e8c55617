package io.callboard.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * JVM beside this one, with the same class path. It communicates in lines of text, and ends when
 * its standard input does, at the latest with this JVM.
 */
final class Child implements AutoCloseable {
  private static final String HEAP = "-Xmx2g";

  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;

  private Child(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  static Child start(Class<?> main, List<String> flags, String... arguments) throws IOException {
    ProcessBuilder builder = command(main, flags, arguments);
    return new Child(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Runs {@code main} to its end; its output is ours. */
  static int run(Class<?> main, List<String> flags, String... arguments) throws Exception {
    Process process =
        command(main, flags, arguments)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  private static ProcessBuilder command(Class<?> main, List<String> flags, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:+UseG1GC", HEAP, "-Djava.net.preferIPv4Stack=true"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** Waits for a line that begins with {@code word}, and returns its rest. */
  String expect(String word) throws IOException {
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(word)) {
        return line.substring(word.length()).strip();
      }
    }
    throw new IOException("a child process ended before it said " + word);
  }

  /** Gives each of its lines, until its end. */
  void read(Consumer<String> each) {
    answers.lines().forEach(each);
  }

  void order(String line) throws IOException {
    orders.write(line + "\n");
    orders.flush();
  }

  /** Kills it; what it has said can still be read. */
  void kill() {
    var unused = process.toHandle().destroyForcibly();
  }

  /** Asks it to end. */
  void terminate() throws IOException, InterruptedException {
    signal("-TERM");
  }

  /** Stops the process (SIGSTOP); its connections stay open. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IOException("a child process could not be sent " + signal);
    }
  }

  @Override
  public void close() {
    kill();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        Progress.say("a child process did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends this JVM when its standard input ends; called in a child. */
  static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                long unexpected = System.in.transferTo(OutputStream.nullOutputStream());
                if (unexpected > 0) {
                  Progress.say("a child process was told what it does not understand");
                }
              } catch (IOException e) {
                Progress.say("the parent process is gone: " + e.getMessage());
              }
              Runtime.getRuntime().halt(0);
            },
            "end-with-parent");
    watch.setDaemon(true);
    watch.start();
  }

  /** Sends a line to the parent; called in a child. */
  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
