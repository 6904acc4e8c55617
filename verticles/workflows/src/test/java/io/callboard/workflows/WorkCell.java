package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.workflows.worker.HttpStepOptions;
import io.callboard.workflows.worker.WorkerMaster;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Nodes of one cell in this process with workers, each with a clustered Vert.x of its own. */
final class WorkCell implements AutoCloseable {
  private final EmbeddedZooKeeper server;
  private final RecordedReports reports;
  private final Map<String, WorkNode> nodes = new LinkedHashMap<>();

  /** Node of the test's cell. */
  record WorkNode(
      Callboard callboard, Grid grid, Workers workers, Vertx vertx, Clustering clustering) {}

  WorkCell(RecordedReports reports) throws IOException {
    this.reports = reports;
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    server =
        EmbeddedZooKeeper.start(
            Files.createTempDirectory(parent, "work-"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
  }

  WorkNode open(String name, int slots) {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(4), Duration.ofSeconds(10));
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
                vertx, new CallboardOptions().name(name).store(() -> new ZooKeeperStore(options))));
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    Workers workers = new Workers(callboard, reports, slots, HttpStepOptions.DEFAULT);
    await(workers.open(grid));
    WorkNode node = new WorkNode(callboard, grid, workers, vertx, clustering);
    nodes.put(name, node);
    return node;
  }

  WorkNode node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** Returns the name of the node that holds the worker master. */
  String master() {
    return await(node(nodes.keySet().iterator().next()).grid().roles()).stream()
        .filter(role -> role.name().equals(WorkerMaster.ROLE))
        .flatMap(role -> role.holder().stream())
        .findFirst()
        .orElse("");
  }

  /** Ends a node without a word to the desk. */
  void kill(String name) {
    WorkNode node = Objects.requireNonNull(nodes.remove(name));
    await(node.callboard().close());
    await(node.vertx().close());
    node.clustering().close();
  }

  @Override
  public void close() {
    for (String name : List.copyOf(nodes.keySet())) {
      await(node(name).workers().close());
      kill(name);
    }
    server.close();
  }
}
