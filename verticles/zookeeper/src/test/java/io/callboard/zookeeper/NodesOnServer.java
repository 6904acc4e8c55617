package io.callboard.zookeeper;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A ZooKeeper server of one test, nodes of its cell, and clients that look behind them. All are
 * closed after the test: first the nodes, then the clients, then the server.
 */
final class NodesOnServer implements AfterEachCallback {
  static final Duration SESSION = Duration.ofSeconds(20);

  final EmbeddedZooKeeper server;
  private final NodesExtension nodes = new NodesExtension();
  private final List<ZooKeeper> clients = new ArrayList<>();

  /** A server with its data below a directory of that name. */
  NodesOnServer(String name) {
    server = TestServers.start(name);
  }

  /** Returns the options for stores of the cell. */
  ZooKeeperOptions options() {
    return new ZooKeeperOptions(server.connectString(), "main", SESSION, Duration.ofSeconds(10));
  }

  /** A client without the toolkit. */
  ZooKeeper raw() throws Exception {
    ZooKeeper client = RawClient.connect(server.connectString());
    clients.add(client);
    return client;
  }

  Callboard open(String name) {
    return open(name, options -> {});
  }

  /** Opens a node; {@code more} changes its options. */
  Callboard open(String name, Consumer<CallboardOptions> more) {
    return nodes.open(
        name, options -> more.accept(options.store(() -> new ZooKeeperStore(options()))));
  }

  void close(Callboard node) {
    nodes.close(node);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    nodes.close();
    for (ZooKeeper client : clients) {
      client.close();
    }
    server.close();
  }
}
