package io.callboard.bootstrap;

import com.sun.management.UnixOperatingSystemMXBean;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.archive.CellArchive;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.cell.LocalMachine;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.DashboardServer;
import io.callboard.dashboard.Setting;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.node.NodeStartException;
import io.callboard.part.NodePart;
import io.callboard.pollers.Sources;
import io.callboard.pollers.model.PollersException;
import io.callboard.store.StoreException;
import io.callboard.workflows.Workflows;
import io.callboard.zone.ZoneOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node of the launcher: a {@link CallboardNode} with the parts of its command line. Starting and
 * stopping block, for a bounded time. If its embedded ZooKeeper fails, the node reports it and
 * stops within seconds, without waiting for parts that need ZooKeeper.
 */
final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);

  /** Files and connections that a node at rest has open, and some for its first clients. */
  private static final int LEAST_OPEN_FILES = 64;

  private static final String MORE_JARS =
      "; name its jars in CALLBOARD_CLASSPATH for the script, or run java -cp callboard.jar:JARS"
          + " io.callboard.bootstrap.Main";

  private final CallboardNode node;
  private final RunDrainWait runs;

  private Node(CallboardNode node, RunDrainWait runs) {
    this.node = node;
    this.runs = runs;
  }

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
    try {
      checkOpenFiles(
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
              ? unix.getMaxFileDescriptorCount()
              : Long.MAX_VALUE);
      if (options.name == null && !options.nodeName().equals(LocalMachine.name())) {
        log.info(
            "this node is called {}, as before with its data directory, on host {}: --name gives another name",
            options.nodeName(),
            LocalMachine.name());
      }
      AtomicReference<@Nullable RunDrainWait> drain = new AtomicReference<>();
      NodeOptions its =
          options
              .nodeOptions()
              .shutdownHook(false)
              .onFailure(
                  cause -> {
                    RunDrainWait runs = drain.get();
                    if (runs != null) {
                      runs.giveUp();
                    }
                    onFailure.accept(String.valueOf(cause.getMessage()));
                  })
              .prepare(preparation -> prepare(preparation.options(), options, zones, change));
      parts(options).forEach(its::with);
      CallboardNode started = CallboardNode.start(its);
      RunDrainWait runs = new RunDrainWait(options.nodeName(), started.part(Jobs.class));
      drain.set(runs);
      return new Node(started, runs);
    } catch (RuntimeException | LinkageError e) { // LinkageError: from a damaged jar
      throw refusal(e, options.appJars);
    }
  }

  /** Returns the parts of the node: archive, jobs, workflows, sources and HTTP. */
  private static List<NodePart<?>> parts(NodeCommand options) {
    List<NodePart<?>> parts = new ArrayList<>();
    String database = options.archiveUrl();
    if (database != null) {
      parts.add(CellArchive.part(database));
    }
    parts.add(
        Jobs.part(JobsOptions.DEFAULT.slots(options.slots).retention(options.jobRetention())));
    parts.add(Workflows.part(options.workflowsOptions()));
    parts.add(Sources.part(options.sources));
    AppJars app = options.appJars;
    List<Setting> settings = new ArrayList<>(options.settings);
    if (app != null) {
      app.report();
      parts.addAll(app.parts());
      settings.addAll(app.settings());
    }
    parts.add(
        DashboardServer.part(
            options.http.in(
                new DashboardOptions()
                    .host(options.httpHost)
                    .port(options.httpPort)
                    .insecure(options.insecure)
                    .cell(options.cell.cell)
                    .settings(settings))));
    return parts;
  }

  private static void prepare(
      CallboardOptions its,
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<CallboardOptions> change) {
    change.accept(its);
    its.machine(options.machine == null ? "" : options.machine).labels(options.labels);
    zones.forEach(its::zone);
  }

  private static RuntimeException refusal(Throwable e, @Nullable AppJars app) {
    if (e instanceof StartupFailure startupFailure) {
      return startupFailure;
    }
    log.info("the start of the node failed", e); // the user gets one line
    if (e instanceof PollersException sources && !sources.defects().isEmpty()) {
      // its settings were checked before: the client of another system is missing
      return StartupFailure.sources("the sources of this node", sources, MORE_JARS);
    }
    if (e instanceof NodeStartException part
        && part.reason() == NodeStartException.Reason.PART
        && part.getCause() != null
        && isOfStock(part.getCause())) {
      return refusal(part.getCause(), app);
    }
    if (e instanceof NodeStartException failed) {
      return StartupFailure.failed(
          failed.problem() + remedy(failed.reason()) + (app == null ? "" : app.remedy(e)));
    }
    if (e instanceof BindException taken) {
      return StartupFailure.failed(
          taken.getMessage() + "; choose another with --http-port or --http-host");
    }
    if (e instanceof StoreException
        || e instanceof CallboardException
        || e instanceof IOException
        || e instanceof IllegalArgumentException) {
      return StartupFailure.failed(String.valueOf(e.getMessage()));
    }
    return StartupFailure.failed("the node could not be started: " + e);
  }

  /** Returns whether a failure of a part says in its one line of which part it is. */
  private static boolean isOfStock(Throwable cause) {
    return cause instanceof PollersException
        || cause instanceof BindException
        || cause instanceof StoreException
        || cause instanceof StartupFailure;
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
      case DIRECTORY_CONTENT, EMBEDDED_ZOOKEEPER, ZOOKEEPER, NAME_TAKEN, PART, OTHER -> "";
    };
  }

  static void checkOpenFiles(long most) {
    if (most < LEAST_OPEN_FILES) {
      throw StartupFailure.failed(
          "this process may have %d files and connections open, and a node needs %d at least: raise the limit (ulimit -n, LimitNOFILE)"
              .formatted(most, LEAST_OPEN_FILES));
    }
  }

  /** For actors that run here beside the node's own. */
  Callboard callboard() {
    return node.callboard();
  }

  /** Returns what a part of the node has started. */
  <T> T part(Class<T> type) {
    return node.part(type);
  }

  /** Returns the URL of the dashboard. */
  String url() {
    return part(DashboardServer.class).url();
  }

  /** Returns the connect string of ZooKeeper, embedded or not. */
  String zookeeper() {
    return node.zookeeper().orElseThrow();
  }

  /**
   * Stops taking runs and waits for those under way; to be called before {@link #close}, and not
   * for a node that failed. Blocks, at most a little longer than {@code limit}.
   *
   * @param out receives one line if there are runs to wait for
   */
  void finishRuns(Duration limit, Consumer<String> out) {
    runs.await(limit, out);
  }

  /** Ends the wait for job runs, or prevents it. Any thread. */
  void finishNoRuns() {
    runs.giveUp();
  }

  /** Stops the parts, last first; a failure is logged. Idempotent. */
  @Override
  public void close() {
    node.close();
  }
}
