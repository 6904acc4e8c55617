package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A node as a user would make it: a Vert.x with a Callboard in it. */
final class Node implements AutoCloseable {
  private static final Duration SESSION = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Parts parts;
  private final Callboard callboard;

  private Node(CallboardOptions options, Vertx vertx, Parts parts) throws Exception {
    this.parts = parts;
    parts.add(() -> await(vertx.close()));
    callboard = await(Callboard.create(vertx, options));
    parts.add(() -> await(callboard.close()));
  }

  private static ZooKeeperOptions cell(String connectString, Duration session) {
    return new ZooKeeperOptions(
        connectString, ZooKeeperOptions.DEFAULT_CELL, session, Duration.ofSeconds(20));
  }

  private static CallboardOptions in(ZooKeeperOptions cell) {
    return new CallboardOptions().store(() -> new ZooKeeperStore(cell));
  }

  /** Starts a node with a store in memory. */
  static Node inMemory() throws Exception {
    return new Node(new CallboardOptions(), Vertx.vertx(), new Parts());
  }

  /** Starts a node of a cell of its own. */
  static Node alone(String connectString) throws Exception {
    return new Node(in(cell(connectString, SESSION)), Vertx.vertx(), new Parts());
  }

  /** Starts one of several nodes. */
  static Node clustered(String connectString) throws Exception {
    return clustered(connectString, new CallboardOptions().name());
  }

  /** Starts one of several nodes, with a name. */
  static Node clustered(String connectString, String name) throws Exception {
    return clustered(connectString, name, SESSION);
  }

  /** Starts one of several nodes, with a name and another session timeout. */
  static Node clustered(String connectString, String name, Duration session) throws Exception {
    ZooKeeperOptions cell = cell(connectString, session);
    Parts parts = new Parts();
    Clustering clustering = Clustering.connect(cell);
    parts.add(clustering::close);
    VertxOptions options =
        new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1"));
    Vertx vertx =
        await(
            Vertx.builder()
                .with(options)
                .withClusterManager(clustering.manager())
                .buildClustered());
    return new Node(in(cell).name(name), vertx, parts);
  }

  Callboard callboard() {
    return callboard;
  }

  Vertx vertx() {
    return callboard.vertx();
  }

  <M> ActorRef<M> spawn(String path, Supplier<? extends Actor<M>> factory) throws Exception {
    return spawn(path, factory, new ActorOptions());
  }

  <M> ActorRef<M> spawn(String path, Supplier<? extends Actor<M>> factory, ActorOptions options)
      throws Exception {
    return await(callboard.spawn(path, factory, options));
  }

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Throwable e) {
      throw e instanceof Exception checked ? checked : new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    parts.close();
  }
}
