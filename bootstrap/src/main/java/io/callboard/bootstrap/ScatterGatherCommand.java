package io.callboard.bootstrap;

import io.callboard.bootstrap.data.DataDirectory;
import io.callboard.examples.search.SearchOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs the search example until the process ends. */
@Command(
    name = "scatter-gather",
    sortOptions = false,
    description =
        "Searches real text with Lucene: each query goes to many nodes at once and comes back in time, whatever fails. Prints its address; Ctrl-C ends it.")
final class ScatterGatherCommand implements Callable<Integer> {
  private static final int MAX_CLIENTS = 1000;

  @Option(
      names = "--documents",
      paramLabel = "DIR",
      description =
          "Whose text is searched (default: the JDK's sources if they are there, else the texts in the local Maven repository and the system's manuals).")
  @Nullable Path documents;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Documents at most (default: ${DEFAULT-VALUE}).")
  int most = 20_000;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Nodes of each of the two trees (default: ${DEFAULT-VALUE}).")
  int nodes = 4;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "On loopback; 0 for any free one (default: ${DEFAULT-VALUE}).")
  int httpPort;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description = "Where the indexes are kept (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Option(
      names = "--chaos",
      description = "Lets programs kill a node: POST /nodes/{tree}/{n}/kill.")
  boolean chaos;

  @Option(
      names = "--kill-every",
      paramLabel = "DURATION",
      converter = NodeCommand.Iso.class,
      description = "Kills a random node, head or gatherer that often, for example PT0.2S.")
  @Nullable Duration killEvery;

  @Option(
      names = "--load",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Searches for so long with many clients, prints what they met, and ends.")
  int load;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "Clients of --load (default: ${DEFAULT-VALUE}).")
  int clients = 8;

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    SearchOptions options = options();
    NodeLog.configure(data, "text"); // before the first logger is made
    return SearchProcess.run(
        options, DataDirectory.open(data), load, clients, console.command().getOut());
  }

  private SearchOptions options() {
    try {
      if (load < 0 || clients < 1 || clients > MAX_CLIENTS) {
        throw new IllegalArgumentException(
            "a load has 1 second or more and 1 to %d clients".formatted(MAX_CLIENTS));
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
