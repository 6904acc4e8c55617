package io.callboard.grid.cells;

import io.callboard.Callboard;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A cell with a ZooKeeper server of its own, which can be away for a while. */
final class TestCell implements AutoCloseable {
  private final Path directory;
  private final int port;
  private final NodesExtension nodes = new NodesExtension();
  private EmbeddedZooKeeper server;

  TestCell(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "zookeeper"));
    directory = Files.createTempDirectory(parent, name + "-");
    port = FreePorts.one(); // one that nobody's connection gets while the server is away
    server = start(port);
  }

  private EmbeddedZooKeeper start(int at) throws IOException {
    return EmbeddedZooKeeper.start(
        directory,
        at,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  /** Starts a node of this cell, which is closed with it or by {@link #close(Callboard)}. */
  Callboard node(String name) {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            "127.0.0.1:" + port, "main", Duration.ofSeconds(2), Duration.ofSeconds(10));
    return nodes.open(name, given -> given.store(() -> new ZooKeeperStore(options)));
  }

  void close(Callboard node) {
    nodes.close(node);
  }

  /** Closes the server meanwhile; it comes back with its data. */
  void cut(Runnable meanwhile) throws IOException {
    server.close();
    try {
      meanwhile.run();
    } finally {
      server = start(port);
    }
  }

  /** Closes all nodes and leaves the server running. */
  void closeNodes() {
    nodes.close();
  }

  @Override
  public void close() {
    closeNodes();
    server.close();
  }
}
