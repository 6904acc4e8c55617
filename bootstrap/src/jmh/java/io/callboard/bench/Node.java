package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.ZooKeeperOptions;
import io.callboard.zookeeper.ZooKeeperStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A node as a user would make it: a Vert.x with a Callboard whose store is ZooKeeper. */
final class Node implements AutoCloseable {
  private static final Duration SESSION = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Callboard callboard;

  private Node(ZooKeeperOptions cell, Vertx vertx) throws Exception {
    parts.push(() -> await(vertx.close()));
    CallboardOptions options = new CallboardOptions().store(() -> new ZooKeeperStore(cell));
    callboard = await(Callboard.create(vertx, options));
    parts.push(() -> await(callboard.close()));
  }

  private static ZooKeeperOptions cell(String connectString) {
    return new ZooKeeperOptions(
        connectString, ZooKeeperOptions.DEFAULT_CELL, SESSION, Duration.ofSeconds(20));
  }

  /** A node of its own. */
  static Node alone(String connectString) throws Exception {
    return new Node(cell(connectString), Vertx.vertx());
  }

  /** One of several. */
  static Node clustered(String connectString) throws Exception {
    ZooKeeperOptions cell = cell(connectString);
    Clustering clustering = Clustering.connect(cell);
    VertxOptions options =
        new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1"));
    Node node =
        new Node(
            cell,
            await(
                Vertx.builder()
                    .with(options)
                    .withClusterManager(clustering.manager())
                    .buildClustered()));
    node.parts.addLast(clustering);
    return node;
  }

  Callboard callboard() {
    return callboard;
  }

  Vertx vertx() {
    return callboard.vertx();
  }

  <M> ActorRef<M> spawn(String path, Supplier<? extends Actor<M>> factory) throws Exception {
    return await(callboard.spawn(path, factory, new ActorOptions()));
  }

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      throw e instanceof Exception checked ? checked : new IllegalStateException(e);
    }
  }

  /** Last started, first ended. */
  @Override
  public void close() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }
}
