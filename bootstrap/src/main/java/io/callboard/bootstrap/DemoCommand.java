package io.callboard.bootstrap;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.examples.Accounts;
import io.callboard.node.data.DataDirectory;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command that runs a bundled example. */
@Command(description = "Runs a bundled example: account, scatter-gather or failover.")
final class DemoCommand implements Callable<Integer> {
  private static final String ACCOUNT = "account";

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      defaultValue = ACCOUNT,
      description = "Name of the example (default: ${DEFAULT-VALUE}).")
  String name = ACCOUNT;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description = "Data directory of the example (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    if (!name.equals(ACCOUNT)) {
      throw StartupFailure.usage(
          "there is no example \"%s\"; there are account, scatter-gather and failover"
              .formatted(name));
    }
    NodeLog.configure(data, "text");
    try (DataDirectory directory = DataDirectory.open(data);
        EmbeddedZooKeeper server =
            EmbeddedZooKeeper.start(directory.path().resolve("zookeeper"), 0, console::print)) {
      Vertx vertx = Vertx.vertx();
      try {
        run(vertx, directory, ZooKeeperOptions.of(server.connectString()));
      } finally {
        var unused = vertx.close().await(10, TimeUnit.SECONDS);
      }
    }
    return 0;
  }

  private void run(Vertx vertx, DataDirectory directory, ZooKeeperOptions options)
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
      var id = await(vertx.deployVerticle(new Accounts(new SplittableRandom(), console::print)));
      await(vertx.undeploy(id));
    } finally {
      await(callboard.close());
    }
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private static <T> T await(Future<T> future) throws Exception {
    return future.await(60, TimeUnit.SECONDS);
  }
}
