package io.callboard.bootstrap;

import io.callboard.Callboard;
import io.callboard.examples.search.LoadReport;
import io.callboard.examples.search.SearchLoad;
import io.callboard.examples.search.SearchOptions;
import io.callboard.examples.search.SearchService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the search example until the process ends. */
@Command(
    name = "scatter-gather",
    sortOptions = false,
    description =
        "Searches real text with Lucene: each query goes to many nodes at once and comes back in time, whatever fails. Prints its address; Ctrl-C ends it.")
final class ScatterGatherCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ScatterGatherCommand.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
  private static final Duration LOAD_DEADLINE = Duration.ofSeconds(1);
  private static final int MAX_CLIENTS = 1000;

  @Spec @Nullable CommandSpec spec;

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
      description = "Kills a random node that often, for example PT0.2S.")
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

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this.")
  boolean help;

  @Override
  public Integer call() throws Exception {
    SearchOptions options = options();
    NodeLog.configure(data, "text");
    DataDirectory directory = DataDirectory.open(data);
    Vertx vertx = Vertx.vertx();
    Ending.beforeExit(() -> stop(vertx, directory));
    SearchService service = start(vertx, options);
    print("Search is ready: " + service.url());
    if (load > 0) {
      print(load(vertx, service).toString());
    } else {
      Ending.await();
    }
    return 0;
  }

  private SearchOptions options() {
    try {
      if (load < 0 || clients < 1 || clients > MAX_CLIENTS) {
        throw new IllegalArgumentException(
            "a load has 1 second or more and 1 to %d clients".formatted(MAX_CLIENTS));
      }
      return new SearchOptions(data.resolve("search"))
          .documents(documents)
          .most(most)
          .nodes(nodes)
          .port(httpPort)
          .chaos(chaos)
          .killEvery(killEvery);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private SearchService start(Vertx vertx, SearchOptions options) throws InterruptedException {
    try {
      return SearchService.start(
              vertx, options, InstantSource.system(), new SplittableRandom(), this::print)
          .await(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      log.info("the search could not be started", e); // the user gets one line
      throw Refusal.failed("the search could not be started: " + e);
    }
  }

  private LoadReport load(Vertx vertx, SearchService service) throws Exception {
    SearchLoad searches =
        new SearchLoad(
            service, service.words(), LOAD_DEADLINE, new SplittableRandom(), System::nanoTime);
    print("searching for %d s with %d clients…".formatted(load, clients));
    return searches
        .run(vertx, clients, Duration.ofSeconds(load))
        .await(load + START_LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private static void stop(Vertx vertx, DataDirectory directory) {
    try (directory) {
      Callboard.find(vertx)
          .map(Callboard::close)
          .orElseGet(Future::succeededFuture)
          .await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      vertx.close().await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | IOException | RuntimeException e) {
      log.warn("the search did not stop cleanly", e);
    }
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec;
  }

  private void print(String line) {
    PrintWriter out = spec().commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
