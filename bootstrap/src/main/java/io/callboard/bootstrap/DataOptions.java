package io.callboard.bootstrap;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which data directory a command works on. */
final class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The data directory of the node (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data");

  /** Of its embedded ZooKeeper. */
  Path store() {
    Path store = data.toAbsolutePath().normalize().resolve(DataDirectory.ZOOKEEPER);
    if (!store.toFile().isDirectory()) {
      throw Refusal.failed(
          "there is no store of an embedded ZooKeeper in %s; name the node's data directory with --data (an ensemble has its own tools, see conf/cluster)"
              .formatted(store.getParent()));
    }
    return store;
  }
}
