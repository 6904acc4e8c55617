package io.callboard.grid;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.time.Time;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Nodes of one cell in this process, each with a clustered Vert.x of its own. */
final class TestGrid implements AutoCloseable {
  /** Longer than a busy machine stops for; no test waits for its end. */
  static final Duration SESSION = Duration.ofSeconds(20);

  /** Default timing, with a monitor that looks more often. */
  private static final GridOptions OPTIONS =
      new GridOptions(
          GridOptions.DEFAULT.heartbeatInterval(),
          GridOptions.DEFAULT.silence(),
          Duration.ofMillis(500));

  private final EmbeddedZooKeeper server;
  private final Map<String, GridMember> nodes = new LinkedHashMap<>();

  /** Node of the test's cell. */
  record GridMember(Callboard callboard, Grid grid, Vertx vertx, Clustering clustering) {}

  TestGrid(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    server =
        EmbeddedZooKeeper.start(
            Files.createTempDirectory(parent, name + "-"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
  }

  GridMember open(String name) {
    return open(name, options -> options);
  }

  GridMember open(String name, UnaryOperator<CallboardOptions> with) {
    return open(name, with, Time.SYSTEM);
  }

  /**
   * @param time that of its heartbeats and of its clock
   */
  GridMember open(String name, UnaryOperator<CallboardOptions> with, Time time) {
    return open(name, with, time, OPTIONS);
  }

  /** Opens a node whose monitor does not scan before the test has ended. */
  GridMember openWithoutScans(String name) {
    GridOptions without =
        new GridOptions(OPTIONS.heartbeatInterval(), OPTIONS.silence(), Duration.ofHours(1));
    return open(name, options -> options, Time.SYSTEM, without);
  }

  private GridMember open(
      String name, UnaryOperator<CallboardOptions> with, Time time, GridOptions timing) {
    ZooKeeperOptions options =
        new ZooKeeperOptions(server.connectString(), "main", SESSION, Duration.ofSeconds(10));
    Clustering clustering = Clustering.connect(options);
    Vertx vertx =
        await(
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(clustering.manager())
                .buildClustered());
    Callboard callboard =
        await(
            Callboard.create(
                vertx,
                with.apply(
                    new CallboardOptions().name(name).store(() -> new ZooKeeperStore(options)))));
    Grid grid = await(Grid.start(callboard, timing, time));
    GridMember node = new GridMember(callboard, grid, vertx, clustering);
    nodes.put(name, node);
    return node;
  }

  GridMember node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** Closes a node in order, as an operator does. */
  void close(String name) {
    GridMember node = Objects.requireNonNull(nodes.remove(name));
    await(node.callboard().close());
    await(node.vertx().close());
    node.clustering().close();
  }

  @Override
  public void close() {
    for (String name : java.util.List.copyOf(nodes.keySet())) {
      close(name);
    }
    server.close();
  }
}
