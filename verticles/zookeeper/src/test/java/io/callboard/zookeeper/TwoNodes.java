package io.callboard.zookeeper;

import io.callboard.Callboard;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Two nodes of one cell, {@code here} and {@code there}, on a clustered event bus, with a server of
 * their own. Registered as an extension, they are closed after the test.
 */
public final class TwoNodes implements AfterEachCallback, AutoCloseable {
  public final Callboard here;
  public final Callboard there;
  private final EmbeddedZooKeeper server;
  private final ClusteredNodes nodes;

  public TwoNodes(String name) {
    server = TestServers.start(name);
    nodes = new ClusteredNodes(server);
    here = nodes.open("here");
    there = nodes.open("there");
  }

  public String servers() {
    return server.connectString();
  }

  /** Returns the root path of the cell. */
  public String root() {
    return nodes.options().root();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    nodes.close();
    server.close();
  }
}
