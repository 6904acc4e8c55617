package io.callboard.examples.commands;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.ShutdownHook;
import io.callboard.examples.search.LoadReport;
import io.callboard.examples.search.SearchLoad;
import io.callboard.examples.search.SearchOptions;
import io.callboard.examples.search.SearchService;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.part.StartedParts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Search example as a process of its own: prints one line when it is ready, and stops in order. */
final class SearchProcess {
  private static final Logger log = LoggerFactory.getLogger(SearchProcess.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
  private static final Duration WARMING = Duration.ofSeconds(10);
  private static final Duration LOAD_DEADLINE = Duration.ofSeconds(1);

  private final PrintWriter out;
  private final Vertx vertx = Vertx.vertx();

  private SearchProcess(PrintWriter out) {
    this.out = out;
  }

  /**
   * Runs until the process ends, or the load has ended.
   *
   * @param load duration of the load in seconds; 0 for none
   */
  static int run(
      SearchOptions options, DataDirectory directory, int load, int clients, PrintWriter out)
      throws Exception {
    SearchProcess process = new SearchProcess(out);
    ShutdownHook.beforeExit(() -> process.stop(directory));
    SearchService service = process.start(options);
    var unused = service.callboard().closed().onFailure(process::escalated);
    process.dashboard(service.callboard());
    process.print("Search is ready: " + service.url());
    if (load > 0) {
      process.print(process.load(service, load, clients).toString());
    } else {
      ShutdownHook.await();
    }
    return 0;
  }

  private SearchService start(SearchOptions options) {
    try {
      return SearchService.start(vertx, new CallboardOptions().name("search"), options, this::print)
          .await(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      log.info("the search could not be started", e); // the user gets one line only
      throw StartupFailure.failed("the search could not be started: " + e);
    }
  }

  private void dashboard(Callboard callboard) {
    try {
      StartedParts unused =
          DemoDashboard.open(callboard, this::print)
              .await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | RuntimeException e) {
      log.info("the dashboard could not be opened", e); // the user gets one line only
      throw StartupFailure.failed("the dashboard could not be opened: " + e);
    }
  }

  /** Ends the process after a failure that no supervisor could handle; the actors have stopped. */
  private void escalated(Throwable cause) {
    log.error("the search stops", cause);
    print("the search stops: " + cause.getMessage());
    ShutdownHook.fail();
  }

  private LoadReport load(SearchService service, int seconds, int clients) throws Exception {
    SearchLoad searches =
        new SearchLoad(
            service, service.words(), LOAD_DEADLINE, new SplittableRandom(), System::nanoTime);
    print(
        "searching for %d s with %d clients, after a warm-up of %s…"
            .formatted(seconds, clients, WARMING));
    return searches
        .run(vertx, clients, WARMING)
        .compose(warm -> searches.run(vertx, clients, Duration.ofSeconds(seconds)))
        .await(seconds + START_LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private void stop(DataDirectory directory) {
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

  private void print(String line) {
    out.println(line);
    out.flush();
  }
}
