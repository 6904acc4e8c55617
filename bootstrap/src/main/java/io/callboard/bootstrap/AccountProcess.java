package io.callboard.bootstrap;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.examples.Accounts;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.part.StartedParts;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
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
    try (DataDirectory directory = DataDirectory.open(data);
        EmbeddedZooKeeper server =
            EmbeddedZooKeeper.start(directory.path().resolve("zookeeper"), 0, out::accept)) {
      Vertx vertx = Vertx.vertx();
      try {
        run(vertx, directory, ZooKeeperOptions.of(server.connectString()), out);
      } finally {
        var unused = vertx.close().await(10, TimeUnit.SECONDS);
      }
    }
  }

  private static void run(
      Vertx vertx, DataDirectory directory, ZooKeeperOptions options, Consumer<Object> out)
      throws Exception {
    Callboard callboard =
        await(
            Callboard.create(
                vertx,
                new CallboardOptions()
                    .name("demo")
                    .homeId(directory.homeId())
                    .store(() -> new ZooKeeperStore(options))));
    try {
      StartedParts dashboard = await(DemoDashboard.open(callboard, out::accept));
      var id = await(vertx.deployVerticle(new Accounts(new SplittableRandom(), out::accept)));
      await(vertx.undeploy(id));
      await(dashboard.close());
    } finally {
      await(callboard.close());
    }
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private static <T> T await(Future<T> future) throws Exception {
    return future.await(60, TimeUnit.SECONDS);
  }
}
