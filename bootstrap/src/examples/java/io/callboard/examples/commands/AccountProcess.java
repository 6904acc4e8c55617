package io.callboard.examples.commands;

import io.callboard.dashboard.DashboardServer;
import io.callboard.examples.Accounts;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The example of bank accounts in a node of its own, with an embedded ZooKeeper. */
final class AccountProcess {
  private AccountProcess() {}

  /**
   * Runs the example; blocks until it has ended.
   *
   * @param data data directory
   * @param out receives its lines
   */
  static void run(Path data, Consumer<Object> out) throws Exception {
    NodeOptions options =
        new NodeOptions().name("demo").directory(data).zookeeperPort(0).with(DashboardServer.on(0));
    try (CallboardNode node = CallboardNode.start(options)) {
      out.accept("Dashboard: " + node.part(DashboardServer.class).url());
      Vertx vertx = node.vertx();
      String id = await(vertx.deployVerticle(new Accounts(new SplittableRandom(), out::accept)));
      var undeployed = await(vertx.undeploy(id));
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(60, TimeUnit.SECONDS);
  }
}
