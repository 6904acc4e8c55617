package io.callboard.bootstrap;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.data.DataDirectory;
import io.callboard.bootstrap.data.StoreMark;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.HttpFrontEnd;
import io.callboard.feed.Feeds;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreLostException;
import io.callboard.zone.ZoneOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.StoreBehindException;
import io.callboard.zookeeper.StoreDamagedException;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node. Starting and stopping block, for a bounded time. If its embedded ZooKeeper fails,
 * the node reports it and stops within seconds, without waiting for parts that need ZooKeeper.
 */
final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

  /** For a part that waits for a ZooKeeper that is gone. */
  private static final Duration LOST_STOP_LIMIT = Duration.ofSeconds(1);

  private static final int USUAL_ZOOKEEPER_PORT = 2181;

  private final Deque<Part> parts = new ArrayDeque<>();
  private @Nullable Callboard callboard;
  private @Nullable Grid grid;
  private volatile @Nullable RunDrainWait runs;
  private String url = "";
  private String zookeeper = "";
  private volatile boolean lost;

  /** Something that was started, and how it is stopped. */
  private record Part(String name, Stop stop) {}

  /** Stops a part; may block. */
  private interface Stop {
    void run() throws Exception;
  }

  private Node() {}

  /**
   * Starts a node; what was started is stopped again if something fails.
   *
   * @param onFailure takes one line if the node fails for good later
   */
  static Node start(
      NodeCommand options, Map<String, ZoneOptions> zones, Consumer<String> onFailure) {
    return start(options, zones, onFailure, store -> store);
  }

  /**
   * Starts a node over a wrapped store.
   *
   * @param around wraps the store; its result is used instead
   */
  static Node start(
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<String> onFailure,
      UnaryOperator<Store> around) {
    StartRetry patience = new StartRetry(options.startTimeout, System.nanoTime());
    while (true) {
      Node node = new Node();
      try {
        node.open(options, zones, onFailure, around, patience);
        return node;
      } catch (Exception | LinkageError e) { // of a damaged jar
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
    if (e instanceof StoreException
        || e instanceof CallboardException
        || e instanceof IOException
        || e instanceof IllegalArgumentException) {
      return StartupFailure.failed(String.valueOf(e.getMessage()));
    }
    return StartupFailure.failed("the node could not be started: " + e);
  }

  private void open(
      NodeCommand options,
      Map<String, ZoneOptions> zones,
      Consumer<String> onFailure,
      UnaryOperator<Store> around,
      StartRetry patience)
      throws Exception {
    long begun = System.nanoTime();
    HttpFrontEnd.check(dashboard(options));
    DataDirectory data = DataDirectory.open(options.data);
    parts.push(new Part("data directory", data::close));
    checkFree(options.httpHost, options.httpPort);
    zookeeper = options.zookeeper != null ? options.zookeeper : embedded(options, data, onFailure);
    ZooKeeperOptions cell = options.zookeeperOptions(zookeeper);
    Clustering clustering = Clustering.connect(cell, data.homeId());
    patience.reached();
    parts.push(new Part("ZooKeeper session", clustering::close));
    Vertx vertx = clustered(options, clustering);
    CallboardOptions callboardOptions =
        new CallboardOptions()
            .name(options.nodeName())
            .machine(options.machine == null ? "" : options.machine)
            .labels(options.labels)
            .homeId(data.homeId())
            .store(() -> around.apply(new ZooKeeperStore(cell)));
    zones.forEach(callboardOptions::zone);
    NodeArchive archive = NodeArchive.open(vertx, callboardOptions.time(), options.archiveUrl());
    callboardOptions.history(archive.events());
    parts.push(new Part("archive", archive::close));
    Callboard callboard = await(Callboard.create(vertx, callboardOptions));
    parts.push(new Part("actors", () -> stopped(callboard.close())));
    var unused = callboard.closed().onFailure(cause -> escalated(cause, onFailure));
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    this.callboard = callboard;
    this.grid = grid;
    if (archive.isThere()) {
      await(Feeds.host(callboard, archive.sink()));
    }
    Jobs jobs =
        await(
            Jobs.start(
                callboard,
                new JobsOptions(
                    data.path(), data.homeId(), options.slots, JobsOptions.DEFAULT_QUEUE_LIMIT)));
    runs = new RunDrainWait(options.nodeName(), jobs);
    parts.push(new Part("jobs", () -> stopped(lost ? jobs.abandon() : jobs.close())));
    HttpFrontEnd http = await(HttpFrontEnd.open(vertx, callboard, jobs, grid, dashboard(options)));
    parts.push(new Part("HTTP", () -> stopped(http.close())));
    url = http.url();
    await(callboard.publish("http", url));
    log.info("ready after {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
  }

  /** The actors have stopped because of a failure that no supervisor could handle. */
  private void escalated(Throwable cause, Consumer<String> onFailure) {
    if (cause instanceof StoreLostException) {
      lost = true; // logged where it was found
    } else {
      log.error("this node stops: a failure that no supervisor could handle", cause);
    }
    finishNoRuns();
    onFailure.accept(String.valueOf(cause.getMessage()));
  }

  private static DashboardOptions dashboard(NodeCommand options) {
    return new DashboardOptions()
        .host(options.httpHost)
        .port(options.httpPort)
        .insecure(options.insecure)
        .cell(options.cell.cell)
        .version(NodeVersion.version());
  }

  /** Fails if the HTTP port is in use, before anything else is started. */
  private static void checkFree(String host, int port) throws IOException {
    if (port == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (BindException e) {
      throw StartupFailure.failed(
          "port %d on %s is in use; choose another with --http-port".formatted(port, host));
    }
  }

  private String embedded(NodeCommand options, DataDirectory data, Consumer<String> onFailure)
      throws IOException {
    Consumer<String> onLoss =
        line -> {
          lost = true;
          finishNoRuns();
          log.info("this node stops: {}", line); // also printed for the user
          onFailure.accept(line);
        };
    EmbeddedZooKeeper server = embedded(port(options, data), data, options, onLoss);
    parts.push(new Part("embedded ZooKeeper", server::close));
    data.zookeeperPort(server.port());
    StoreMark mark = StoreMark.keep(data, server);
    parts.push(new Part("record of the embedded ZooKeeper's last transaction", mark::close));
    return server.connectString();
  }

  private static int port(NodeCommand options, DataDirectory data) throws IOException {
    Optional<Integer> before = data.zookeeperPort();
    return options.zookeeperPort != null
        ? options.zookeeperPort
        : before.orElse(USUAL_ZOOKEEPER_PORT);
  }

  private static EmbeddedZooKeeper embedded(
      int port, DataDirectory data, NodeCommand options, Consumer<String> onFailure)
      throws IOException {
    Path directory = data.path().resolve(DataDirectory.ZOOKEEPER);
    long reached = options.newCell ? 0 : data.zookeeperReached();
    try {
      return EmbeddedZooKeeper.start(directory, port, reached, onFailure);
    } catch (StoreBehindException e) {
      throw StartupFailure.failed(
          e.getMessage()
              + "; restore its files, or continue with what the store holds with --new-cell");
    } catch (StoreDamagedException e) {
      throw StartupFailure.failed(
          e.getMessage()
              + "; callboard repair reports what it still holds, callboard restore restores a backup");
    } catch (IOException e) {
      boolean mayMove = options.zookeeperPort == null && e.getCause() instanceof BindException;
      if (!mayMove) {
        throw e;
      }
      log.warn("port {} of the embedded ZooKeeper is in use, a free port is used instead", port);
      return EmbeddedZooKeeper.start(directory, 0, reached, onFailure);
    }
  }

  private Vertx clustered(NodeCommand options, Clustering clustering) throws Exception {
    VertxOptions vertxOptions =
        new VertxOptions()
            .setEventBusOptions(
                new EventBusOptions()
                    .setHost(options.clusterHost)
                    .setPort(options.clusterPort)
                    .setClusterPublicHost(options.clusterHost));
    Vertx vertx =
        await(
            Vertx.builder()
                .with(vertxOptions)
                .withClusterManager(clustering.manager())
                .buildClustered()
                .recover(cause -> Future.failedFuture(bindFailure(options, cause))));
    parts.push(new Part("Vert.x", () -> stopped(vertx.close())));
    return vertx;
  }

  private static Throwable bindFailure(NodeCommand options, Throwable cause) {
    return cause instanceof BindException
        ? StartupFailure.failed(
            "the event bus cannot listen on port %d of %s (%s): choose others with --cluster-host, --cluster-port"
                .formatted(options.clusterPort, options.clusterHost, cause.getMessage()))
        : cause;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private static <T> T await(Future<T> future) throws Exception {
    return await(future, START_LIMIT);
  }

  private void stopped(Future<?> end) throws Exception {
    await(end, lost ? LOST_STOP_LIMIT : STOP_LIMIT);
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private static <T> T await(Future<T> future, Duration limit) throws Exception {
    try {
      return future.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      throw e instanceof Exception checked ? checked : new IllegalStateException(e);
    }
  }

  /** For actors that run here beside the node's own. */
  Callboard callboard() {
    return Objects.requireNonNull(callboard, "started");
  }

  Grid grid() {
    return Objects.requireNonNull(grid, "started");
  }

  /** Address of the dashboard. */
  String url() {
    return url;
  }

  /** Connect string of ZooKeeper, embedded or not. */
  String zookeeper() {
    return zookeeper;
  }

  /**
   * Takes no more runs and waits for those under way, before {@link #close}. Not of a node that
   * failed. Blocks, at most a little longer than {@code limit}.
   *
   * @param out takes one line if there is something to wait for
   */
  void finishRuns(Duration limit, Consumer<String> out) {
    RunDrainWait all = runs;
    if (all != null) {
      all.await(limit, out);
    }
  }

  /** Ends the wait for job runs, or keeps it from beginning. Any thread. */
  void finishNoRuns() {
    RunDrainWait all = runs;
    if (all != null) {
      all.giveUp();
    }
  }

  /** Stops what was started, last first; what fails is logged. Idempotent. */
  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      @Nullable Exception failure = null;
      try {
        part.stop().run();
      } catch (Exception e) {
        failure = e;
      }
      if (failure == null) {
        log.info("stopped: {}", part.name());
      } else if (lost) {
        log.info("{} did not stop cleanly, its store is gone", part.name(), failure);
      } else {
        log.warn("{} did not stop cleanly", part.name(), failure);
      }
    }
  }
}
