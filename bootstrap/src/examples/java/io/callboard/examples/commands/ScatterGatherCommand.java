package io.callboard.examples.commands;

import io.callboard.bootstrap.config.IsoDuration;
import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.examples.search.SearchOptions;
import io.callboard.node.internal.data.DataDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command that runs the search example until the process ends. */
@Command(
    name = "scatter-gather",
    sortOptions = false,
    description =
        "Searches real text with Lucene: each query is sent to many nodes at once and is answered in time, whatever fails. Prints its address; Ctrl-C stops it.")
final class ScatterGatherCommand implements Callable<Integer> {
  private static final int MAX_CLIENTS = 1000;

  @Option(
      names = "--documents",
      paramLabel = "DIR",
      description =
          "Directory of the documents to search (default: the JDK's sources if present, else the texts in the local Maven repository and the system's manuals).")
  @Nullable Path documents;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Maximum number of documents (default: ${DEFAULT-VALUE}).")
  int most = 20_000;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of nodes in each of the two trees (default: ${DEFAULT-VALUE}).")
  int nodes = 4;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "HTTP port on loopback; 0 for any free port (default: ${DEFAULT-VALUE}).")
  int httpPort;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description = "Directory of the indexes (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Option(
      names = "--chaos",
      description = "Allows nodes to be killed over HTTP: POST /nodes/{tree}/{n}/kill.")
  boolean chaos;

  @Option(
      names = "--kill-every",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Kills a random node, head or gatherer at this interval, for example PT0.2S.")
  @Nullable Duration killEvery;

  @Option(
      names = "--load",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "Searches for this time with many clients, prints a report, and exits (default: no load).")
  int load;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "Number of clients with --load (default: ${DEFAULT-VALUE}).")
  int clients = 8;

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    SearchOptions options = options();
    NodeLog.configure(data, "text"); // before the first logger is created
    return SearchProcess.run(
        options, DataDirectory.open(data), load, clients, console.command().getOut());
  }

  private SearchOptions options() {
    try {
      if (load < 0 || clients < 1 || clients > MAX_CLIENTS) {
        throw new IllegalArgumentException(
            "--load is 0 or more seconds and --clients is 1 to %d".formatted(MAX_CLIENTS));
      }
      if (documents != null && !Files.isDirectory(documents)) {
        throw new IllegalArgumentException("--documents %s is no directory".formatted(documents));
      }
      return new SearchOptions(data.resolve("search"))
          .documents(documents)
          .most(most)
          .nodes(nodes)
          .port(httpPort)
          .chaos(chaos)
          .killEvery(killEvery);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(console.command(), String.valueOf(e.getMessage()), e);
    }
  }
}
