package io.callboard.examples.failover;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.examples.reference.Timekeeper;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A node of the cell, on the clustered event bus of this machine. Its methods block. */
public final class ShowMember implements AutoCloseable {
  static final String ROLE = "timekeeper";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Clustering clustering;
  private final Vertx vertx;
  private final Callboard callboard;
  private final Grid grid;

  private ShowMember(Clustering clustering, Vertx vertx, Callboard callboard, Grid grid) {
    this.clustering = clustering;
    this.vertx = vertx;
    this.callboard = callboard;
    this.grid = grid;
  }

  /**
   * Joins the cell of these ZooKeeper servers.
   *
   * @param name an earlier process of that name is dead: its show was the only one with its data
   */
  public static ShowMember join(String servers, String name) throws Exception {
    ZooKeeperOptions cell = ZooKeeperOptions.of(servers);
    Clustering clustering = Clustering.connect(cell, name);
    EventBusOptions bus = new EventBusOptions().setHost("127.0.0.1");
    Vertx vertx =
        await(
            Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(bus))
                .withClusterManager(clustering.manager())
                .buildClustered());
    CallboardOptions options =
        new CallboardOptions().name(name).homeId(name).store(() -> new ZooKeeperStore(cell));
    Callboard callboard = await(Callboard.create(vertx, options));
    return new ShowMember(
        clustering, vertx, callboard, await(Grid.start(callboard, GridOptions.DEFAULT)));
  }

  /** Makes this member a candidate for the role. */
  public void canHold() throws Exception {
    ActorRef<Timekeeper.Order> unused = await(grid.role(ROLE, Timekeeper::new, new ActorOptions()));
  }

  Vertx vertx() {
    return vertx;
  }

  Callboard callboard() {
    return callboard;
  }

  Grid grid() {
    return grid;
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Gives back what it holds, and leaves. */
  @Override
  public void close() throws Exception {
    var unused = await(callboard.close());
    unused = await(vertx.close());
    clustering.close();
  }
}
