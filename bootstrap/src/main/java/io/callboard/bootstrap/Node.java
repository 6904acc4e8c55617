package io.callboard.bootstrap;

import com.sun.management.UnixOperatingSystemMXBean;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.cell.LocalMachine;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.HttpFrontEnd;
import io.callboard.feed.Feeds;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodePreparation;
import io.callboard.node.NodeStartException;
import io.callboard.node.StartRetry;
import io.callboard.pollers.Sources;
import io.callboard.pollers.model.PollersException;
import io.callboard.store.StoreException;
import io.callboard.workflows.Workflows;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node of the launcher: a {@link CallboardNode} with an archive, the job scheduler and HTTP.
 * Starting and stopping block, for a bounded time. If its embedded ZooKeeper fails, the node
 * reports it and stops within seconds, without waiting for parts that need ZooKeeper.
 */
final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** Files and connections that a node at rest has open, and some for its first clients. */
  private static final int LEAST_OPEN_FILES = 64;

  private static final String MORE_JARS =
      "; name its jars in CALLBOARD_CLASSPATH for the script, or run java -cp callboard.jar:JARS"
          + " io.callboard.bootstrap.Main";

  private @Nullable CallboardNode node;
  private @Nullable NodeArchive archive;
  private @Nullable Workflows workflows;
  private @Nullable Sources sources;
  private volatile @Nullable RunDrainWait runs;
  private String url = "";

  private Node() {}

  /**
   * Starts a node; if that fails, the parts that were started are stopped.
   *
   * @param onFailure receives one line if the node later fails for good
   */
  static Node start(
      NodeCommand options, Map<String, ZoneOptions> zones, Consumer<String> onFailure) {
    return start(options, zones, onFailure, node -> {});
  }

  /**
   * Starts a node whose options are changed before.
   *
   * @param change changes the options of the command line, such as store and time
   */
  static Node start(
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<String> onFailure,
      Consumer<CallboardOptions> change) {
    StartRetry patience = new StartRetry(options.startTimeout, System.nanoTime());
    while (true) {
      Node node = new Node();
      try {
        node.open(options, zones, onFailure, change, patience);
        return node;
      } catch (Exception | LinkageError e) { // LinkageError: from a damaged jar
        node.close();
        if (options.zookeeper == null || !patience.triesAgain(e, System.nanoTime())) {
          throw refusal(e);
        }
        log.warn("ZooKeeper cannot be reached, the start is retried: {}", e.toString());
      }
    }
  }

  private static RuntimeException refusal(Throwable e) {
    if (e instanceof StartupFailure startupFailure) {
      return startupFailure;
    }
    log.info("the start of the node failed", e); // the user gets one line
    if (e instanceof PollersException sources && !sources.defects().isEmpty()) {
      // its settings were checked before: the client of another system is missing
      return StartupFailure.sources("the sources of this node", sources, MORE_JARS);
    }
    if (e instanceof NodeStartException failed) {
      return StartupFailure.failed(failed.problem() + remedy(failed.reason()));
    }
    if (e instanceof StoreException
        || e instanceof CallboardException
        || e instanceof IOException
        || e instanceof IllegalArgumentException) {
      return StartupFailure.failed(String.valueOf(e.getMessage()));
    }
    return StartupFailure.failed("the node could not be started: " + e);
  }

  /** By the options of the command line; empty where the problem says it all. */
  private static String remedy(NodeStartException.Reason reason) {
    return switch (reason) {
      case DIRECTORY -> StartupFailure.ANOTHER_DATA_DIRECTORY;
      case STORE_BEHIND ->
          "; restore its files, or continue with what the store holds with --new-cell";
      case STORE_DAMAGED ->
          "; callboard repair reports what it still holds, callboard restore restores a backup";
      case EVENT_BUS -> "; choose others with --cluster-host, --cluster-port";
      case DIRECTORY_CONTENT, EMBEDDED_ZOOKEEPER, ZOOKEEPER, NAME_TAKEN, OTHER -> "";
    };
  }

  private void open(
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<String> onFailure,
      Consumer<CallboardOptions> change,
      StartRetry patience)
      throws Exception {
    long begun = System.nanoTime();
    checkOpenFiles(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE);
    HttpFrontEnd.check(dashboard(options));
    if (options.name == null && !options.nodeName().equals(LocalMachine.name())) {
      log.info(
          "this node is called {}, as before with its data directory, on host {}: --name gives another name",
          options.nodeName(),
          LocalMachine.name());
    }
    checkFree(options.httpHost, options.httpPort);
    CallboardNode started =
        CallboardNode.start(
            options
                .nodeOptions()
                .shutdownHook(false)
                .onFailure(cause -> failed(cause, onFailure))
                .prepare(preparation -> prepare(preparation, options, zones, change)),
            patience);
    node = started;
    NodeArchive feeds = Objects.requireNonNull(archive, "prepared");
    if (feeds.isThere()) {
      await(Feeds.host(started.callboard(), feeds.sink()));
    }
    Jobs jobs = await(Jobs.start(started.callboard(), jobsOptions(started, options), feeds.jobs()));
    runs = new RunDrainWait(options.nodeName(), jobs);
    started.onClose("jobs", () -> started.isStoreLost() ? jobs.abandon() : jobs.close());
    Workflows engine =
        await(
            Workflows.start(
                started.callboard(),
                started.grid(),
                jobs,
                options.workflowsOptions(),
                feeds.workflows()));
    started.onClose("workflows", engine::close);
    workflows = engine;
    Sources polled =
        await(Sources.start(started.callboard(), started.grid(), jobs, engine, options.sources));
    started.onClose("sources", polled::close);
    sources = polled;
    HttpFrontEnd http =
        await(
            HttpFrontEnd.open(
                started.vertx(),
                started.callboard(),
                jobs,
                engine,
                polled,
                started.grid(),
                dashboard(options)));
    started.onClose("HTTP", http::close);
    url = http.url();
    await(started.callboard().publish("http", url));
    log.info("ready after {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
  }

  private void prepare(
      NodePreparation preparation,
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<CallboardOptions> change) {
    change.accept(preparation.options());
    NodeArchive opened =
        NodeArchive.open(preparation.vertx(), preparation.options().time(), options.archiveUrl());
    archive = opened;
    preparation.closeAfterActors("archive", opened::close);
    preparation
        .options()
        .machine(options.machine == null ? "" : options.machine)
        .labels(options.labels)
        .history(opened.events());
    zones.forEach(preparation.options()::zone);
  }

  private static JobsOptions jobsOptions(CallboardNode node, NodeCommand options) {
    return new JobsOptions(
        node.directory().orElseThrow(),
        node.homeId().orElseThrow(),
        options.slots,
        JobsOptions.DEFAULT_QUEUE_LIMIT,
        options.jobRetention());
  }

  private void failed(Throwable cause, Consumer<String> onFailure) {
    finishNoRuns();
    onFailure.accept(String.valueOf(cause.getMessage()));
  }

  private static DashboardOptions dashboard(NodeCommand options) {
    return options.http.in(
        new DashboardOptions()
            .host(options.httpHost)
            .port(options.httpPort)
            .insecure(options.insecure)
            .cell(options.cell.cell)
            .settings(options.settings)
            .version(NodeVersion.version()));
  }

  /** Fails if nothing can listen on the HTTP port, before anything else is started. */
  static void checkOpenFiles(long most) {
    if (most < LEAST_OPEN_FILES) {
      throw StartupFailure.failed(
          "this process may have %d files and connections open, and a node needs %d at least: raise the limit (ulimit -n, LimitNOFILE)"
              .formatted(most, LEAST_OPEN_FILES));
    }
  }

  private static void checkFree(String host, int port) throws IOException {
    if (port == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (BindException e) {
      throw StartupFailure.failed(HttpFrontEnd.whyNotBound(host, port, e));
    }
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.await(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      throw e instanceof Exception checked ? checked : new IllegalStateException(e);
    }
  }

  private CallboardNode node() {
    return Objects.requireNonNull(node, "started");
  }

  /** For actors that run here beside the node's own. */
  Callboard callboard() {
    return node().callboard();
  }

  /** Returns this node's part in the workflow engine. */
  Workflows workflows() {
    return Objects.requireNonNull(workflows, "started");
  }

  /** Returns this node's part in the sources of the cell. */
  Sources sources() {
    return Objects.requireNonNull(sources, "started");
  }

  Grid grid() {
    return node().grid();
  }

  /** Returns the URL of the dashboard. */
  String url() {
    return url;
  }

  /** Returns the connect string of ZooKeeper, embedded or not. */
  String zookeeper() {
    return node().zookeeper().orElseThrow();
  }

  /**
   * Stops taking runs and waits for those under way; to be called before {@link #close}, and not
   * for a node that failed. Blocks, at most a little longer than {@code limit}.
   *
   * @param out receives one line if there are runs to wait for
   */
  void finishRuns(Duration limit, Consumer<String> out) {
    RunDrainWait all = runs;
    if (all != null) {
      all.await(limit, out);
    }
  }

  /** Ends the wait for job runs, or prevents it. Any thread. */
  void finishNoRuns() {
    RunDrainWait all = runs;
    if (all != null) {
      all.giveUp();
    }
  }

  /** Stops the parts, last first; a failure is logged. Idempotent. */
  @Override
  public void close() {
    CallboardNode started = node;
    if (started != null) {
      started.close();
    }
  }
}
