package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.workflows.Workflows;
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
final class SourceNodes implements AutoCloseable {
  private final EmbeddedZooKeeper server;
  private final List<SourceNode> nodes = new ArrayList<>();

  /** Node with the engine, whose sources the test starts. */
  record SourceNode(
      Callboard callboard, Grid grid, Jobs jobs, Workflows workflows, Clustering clustering) {
    /** Ends it as a launcher does. */
    void close() {
      await(workflows.close());
      await(jobs.close());
      kill();
    }

    /** Ends it without a word. */
    void kill() {
      Vertx vertx = callboard.vertx();
      await(callboard.close());
      await(vertx.close());
      clustering.close();
    }
  }

  SourceNodes() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    server =
        EmbeddedZooKeeper.start(
            Files.createTempDirectory(parent, "sources-"),
            0,
            failure -> {
              throw new AssertionError(failure);
            });
  }

  SourceNode open(String name) throws IOException {
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
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    Path data =
        Files.createTempDirectory(
            Files.createDirectories(Path.of("target", "sources-cell-test")), name);
    StartedParts parts = StartedParts.of(callboard, data, name + data.getFileName());
    parts.has(Grid.class, grid);
    Jobs jobs = await(parts.start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(50))));
    Workflows workflows = await(parts.start(Workflows.part()));
    SourceNode node = new SourceNode(callboard, grid, jobs, workflows, clustering);
    nodes.add(node);
    return node;
  }

  void closed(SourceNode node) {
    nodes.remove(node);
  }

  @Override
  public void close() {
    nodes.forEach(SourceNode::close);
    server.close();
  }
}
