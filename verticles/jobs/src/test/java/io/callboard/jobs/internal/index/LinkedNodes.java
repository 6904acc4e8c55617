package io.callboard.jobs.internal.index;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.Store;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Nodes of one cell in this process with links: each on a clustered event bus of its own, with a
 * server of ZooKeeper for all. Registered as an extension, they are closed after the test.
 */
public final class LinkedNodes implements AfterEachCallback, AutoCloseable {
  private final EmbeddedZooKeeper server;
  private final ZooKeeperOptions options;

  /** What is to be closed, the last one first. */
  private final Deque<Runnable> open = new ArrayDeque<>();

  /** Starts the server of a new cell. */
  public LinkedNodes() {
    try {
      Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
      server =
          EmbeddedZooKeeper.start(
              Files.createTempDirectory(parent, "index-"),
              0,
              failure -> {
                throw new AssertionError(failure);
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(20), Duration.ofSeconds(10));
  }

  /** Opens a node. */
  public Callboard open(String name) {
    return open(name, UnaryOperator.identity());
  }

  /**
   * Opens a node.
   *
   * @param store returns the store to be used for that of the cell
   */
  Callboard open(String name, UnaryOperator<Store> store) {
    Clustering clustering = Clustering.connect(options);
    open.push(clustering::close);
    Vertx vertx =
        await(
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(clustering.manager())
                .buildClustered());
    open.push(() -> await(vertx.close()));
    Callboard node =
        await(
            Callboard.create(
                vertx,
                new CallboardOptions()
                    .name(name)
                    .store(() -> store.apply(new ZooKeeperStore(options)))));
    open.push(() -> await(node.close()));
    return node;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
    server.close();
  }
}
