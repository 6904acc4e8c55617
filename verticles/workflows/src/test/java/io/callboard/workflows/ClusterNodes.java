package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
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
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper, and nodes of one cell in this process, each with a clustered Vert.x of its own. */
final class ClusterNodes implements AutoCloseable {
  private final EmbeddedZooKeeper server;
  private final List<ClusterNode> nodes = new ArrayList<>();

  /** Node without any part of the engine. */
  record ClusterNode(Callboard callboard, Grid grid, Vertx vertx, Clustering clustering) {
    void close() {
      await(callboard.close());
      await(vertx.close());
      clustering.close();
    }
  }

  ClusterNodes() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    server =
        EmbeddedZooKeeper.start(
            Files.createTempDirectory(parent, "work-"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
  }

  String servers() {
    return server.connectString();
  }

  ClusterNode open(String name) {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(20), Duration.ofSeconds(10));
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
    ClusterNode node =
        new ClusterNode(
            callboard, await(Grid.start(callboard, GridOptions.DEFAULT)), vertx, clustering);
    nodes.add(node);
    return node;
  }

  /** Closes the nodes that were not closed before: their clients would look for the server. */
  @Override
  public void close() {
    nodes.stream()
        .filter(node -> !node.callboard().closed().isComplete())
        .forEach(ClusterNode::close);
    server.close();
  }
}
