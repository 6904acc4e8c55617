package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Nodes of one cell, each on a clustered event bus; closing it closes them. */
final class ClusteredNodes implements AutoCloseable {
  private final ZooKeeperOptions options;
  private final List<Callboard> nodes = new ArrayList<>();
  private final List<Vertx> vertxes = new ArrayList<>();
  private final List<Clustering> clusterings = new ArrayList<>();

  /** Creates nodes in a new cell of the server. */
  ClusteredNodes(EmbeddedZooKeeper server) {
    options =
        new ZooKeeperOptions(
            server.connectString(),
            "cell-" + System.nanoTime(),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10));
  }

  ZooKeeperOptions options() {
    return options;
  }

  Callboard open(String name) {
    return open(name, new EventBusOptions(), more -> {});
  }

  /** Opens a node; {@code more} changes its options. */
  Callboard open(String name, EventBusOptions bus, Consumer<CallboardOptions> more) {
    Vertx vertx = vertx(bus);
    CallboardOptions given =
        new CallboardOptions().name(name).store(() -> new ZooKeeperStore(options));
    more.accept(given);
    Callboard node = await(Callboard.create(vertx, given));
    nodes.add(node);
    return node;
  }

  /** A Vert.x of the cell. */
  private Vertx vertx(EventBusOptions bus) {
    Clustering clustering = Clustering.connect(options);
    clusterings.add(clustering);
    VertxOptions local = new VertxOptions().setEventBusOptions(bus.setHost("127.0.0.1"));
    Vertx vertx =
        await(
            Vertx.builder().with(local).withClusterManager(clustering.manager()).buildClustered());
    vertxes.add(vertx);
    return vertx;
  }

  @Override
  public void close() {
    nodes.forEach(node -> await(node.close()));
    vertxes.forEach(vertx -> await(vertx.close()));
    clusterings.forEach(Clustering::close);
  }
}
