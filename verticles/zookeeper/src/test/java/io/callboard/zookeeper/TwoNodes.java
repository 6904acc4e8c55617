package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two nodes of one cell, {@code here} and {@code there}, on a clustered event bus. */
final class TwoNodes implements AutoCloseable {
  final Callboard here;
  final Callboard there;
  private final EmbeddedZooKeeper server;
  private final String cell = "cell-" + System.nanoTime();
  private final List<Clustering> clusterings = new ArrayList<>();
  private final List<Vertx> vertxes = new ArrayList<>();

  TwoNodes(String name) throws Exception {
    server = start(name);
    here = node("here");
    there = node("there");
  }

  private static EmbeddedZooKeeper start(String name) throws IOException {
    return TestServers.start(name);
  }

  private Callboard node(String name) throws Exception {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), cell, Duration.ofSeconds(4), Duration.ofSeconds(10));
    Clustering clustering = Clustering.connect(options);
    clusterings.add(clustering);
    Vertx vertx =
        await(
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(clustering.manager())
                .buildClustered());
    vertxes.add(vertx);
    return await(
        Callboard.create(
            vertx, new CallboardOptions().name(name).store(() -> new ZooKeeperStore(options))));
  }

  String servers() {
    return server.connectString();
  }

  /** Of the cell. */
  String root() {
    return "/callboard/" + cell;
  }

  @Override
  public void close() throws Exception {
    await(here.close());
    await(there.close());
    for (Vertx vertx : vertxes) {
      await(vertx.close());
    }
    clusterings.forEach(Clustering::close);
    server.close();
  }
}
