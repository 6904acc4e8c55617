package io.callboard.bootstrap.config;

import io.callboard.node.internal.data.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option that names the data directory on which a command works. */
public final class DataOptions {
  /** Data directory. */
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The data directory of the node (default: ./${DEFAULT-VALUE}).")
  public Path data = Path.of("data");

  /**
   * Returns the directory of the embedded ZooKeeper's store; a missing one is a {@link
   * StartupFailure}.
   */
  public Path store() {
    Path store = data.toAbsolutePath().normalize().resolve(DataDirectory.ZOOKEEPER);
    if (!store.toFile().isDirectory()) {
      throw StartupFailure.failed(
          "there is no store of an embedded ZooKeeper in %s; name the node's data directory with --data (an ensemble has its own tools, see conf/cluster)"
              .formatted(store.getParent()));
    }
    return store;
  }
}
