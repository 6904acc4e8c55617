package io.callboard.examples.commands;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Crash of the example {@code articles}: its node is a process of its own, whose lines are printed
 * here; it is killed when half of the articles are done, and started again.
 */
final class ArticlesCrash {
  /** Line of an article that is in the index. */
  private static final Pattern DONE = Pattern.compile("\\d{4,}-[^:]*: \".*");

  private final ArticlesCommand command;
  private int done;

  ArticlesCrash(ArticlesCommand command) {
    this.command = command;
  }

  /** Runs until the second process ends. */
  int run() throws Exception {
    Process first = start();
    if (!print(first, (command.articles + 1) / 2)) {
      return first.waitFor(); // it ended before
    }
    var killed = first.destroyForcibly().waitFor();
    command.console.print("The process is killed (SIGKILL), and started again.");
    Process second = start();
    var ended = print(second, Integer.MAX_VALUE);
    return second.waitFor();
  }

  /** Prints what a process prints, until it ends; returns whether so many articles were done. */
  private boolean print(Process process, int until) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      command.console.print(line);
      if (DONE.matcher(line).matches()) {
        done++;
        if (done >= until) {
          return true;
        }
      }
    }
    return false;
  }

  private Process start() throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(ProcessHandle.current().info().command().orElse("java"));
    arguments.addAll(List.of("-Xmx512m", "-Djava.net.preferIPv4Stack=true"));
    arguments.add("-Dstdout.encoding=UTF-8");
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), Console.MAIN_CLASS));
    arguments.addAll(List.of("demo", "articles", "--worker", "--data", command.data.toString()));
    arguments.addAll(List.of("--articles", String.valueOf(command.articles)));
    arguments.addAll(List.of("--http-port", String.valueOf(command.httpPort)));
    arguments.addAll(List.of("--via", command.via));
    if (command.url != null) {
      arguments.addAll(List.of("--url", command.url));
    }
    if (command.documents != null) {
      arguments.addAll(List.of("--documents", command.documents.toString()));
    }
    if (command.exit) {
      arguments.add("--exit");
    }
    Process started =
        new ProcessBuilder(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroy, "end-worker"));
    return started;
  }

  /** Ends this process as soon as the one that started it is gone. */
  static void endWithInput() {
    Thread waits =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // nothing is ever written to it
                }
              } catch (IOException e) {
                // it is gone, too
              }
              Runtime.getRuntime().halt(StartupFailure.FAILED);
            },
            "worker-input");
    waits.setDaemon(true);
    waits.start();
  }
}
