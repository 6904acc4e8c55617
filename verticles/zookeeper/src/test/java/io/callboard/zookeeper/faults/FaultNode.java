package io.callboard.zookeeper.faults;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;

/** A node in this JVM, or the way of one in another process, behind proxies of its own. */
final class FaultNode implements AutoCloseable {
  static final String CELL = "faults";
  private static final Duration SWEEP = Duration.ofSeconds(2);
  private static final int PATIENCE_S = 60;

  private final String name;
  private final List<FaultProxy> proxies = new ArrayList<>();

  /** The network of a node; it does not run yet. */
  FaultNode(String name, Servers servers) throws IOException {
    this.name = name;
    for (int port : servers.ports()) {
      proxies.add(new FaultProxy(port));
    }
  }

  String name() {
    return name;
  }

  List<FaultProxy> proxies() {
    return proxies;
  }

  String connectString() {
    return String.join(",", proxies.stream().map(FaultProxy::connectString).toList());
  }

  /** Starts a Callboard here. */
  static Callboard open(String name, String home, String servers, Duration session)
      throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(2));
    ZooKeeperOptions zooKeeper =
        new ZooKeeperOptions(servers, CELL, session, Duration.ofSeconds(30));
    CallboardOptions options =
        new CallboardOptions()
            .name(name)
            .homeId(home)
            .sweepEvery(SWEEP)
            .store(() -> new ZooKeeperStore(zooKeeper));
    try {
      return Callboard.create(vertx, options).await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (Exception e) {
      vertx.close().await(PATIENCE_S, TimeUnit.SECONDS);
      throw e;
    }
  }

  /** Ends a Callboard and its Vert.x. */
  static void close(Callboard node) throws Exception {
    Vertx vertx = node.vertx();
    node.close().await(PATIENCE_S, TimeUnit.SECONDS);
    vertx.close().await(PATIENCE_S, TimeUnit.SECONDS);
  }

  /** Ends the session as its expiry would: another handle of the same session closes it. */
  void expire() throws IOException, InterruptedException {
    for (FaultProxy proxy : proxies) {
      FaultProxy.Login login = proxy.login();
      if (login != null) {
        new ZooKeeper(proxy.connectString(), 10_000, event -> {}, login.session(), login.password())
            .close(2_000);
      }
    }
  }

  void heal() {
    proxies.forEach(FaultProxy::heal);
  }

  @Override
  public void close() throws IOException {
    for (FaultProxy proxy : proxies) {
      proxy.close();
    }
  }
}
