package io.callboard.node;

import io.callboard.node.NodeStartException.Reason;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.node.internal.data.StoreMark;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.StoreBehindException;
import io.callboard.zookeeper.StoreDamagedException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start of a node's embedded ZooKeeper: its port, which neighbours may know, and its store, which
 * must not have lost what it had acknowledged.
 */
final class EmbeddedServer {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);
  private static final int USUAL_PORT = 2181;

  private EmbeddedServer() {}

  /**
   * Starts the server in {@code data}, and adds it to the parts of the node. Blocks.
   *
   * @param port null for the one that it had before, else 2181, else any free one
   * @param newCell whether a store is accepted that lost acknowledged transactions
   * @param onFailure called with one line if the server stops by itself later
   * @return its connect string
   * @throws NodeStartException if it cannot be started
   */
  static String start(
      DataDirectory data,
      @Nullable Integer port,
      boolean newCell,
      CloseStack parts,
      Consumer<String> onFailure)
      throws IOException {
    EmbeddedZooKeeper server;
    try {
      server = open(data, port, newCell ? 0 : data.zookeeperReached(), onFailure);
    } catch (StoreBehindException e) {
      throw new NodeStartException(
          Reason.STORE_BEHIND,
          message(e),
          "restore its files, or continue with what the store holds with NodeOptions.newCell",
          e);
    } catch (StoreDamagedException e) {
      throw new NodeStartException(
          Reason.STORE_DAMAGED,
          message(e),
          "callboard repair reports what it still holds, callboard restore restores a backup",
          e);
    } catch (IOException e) {
      throw new NodeStartException(
          Reason.EMBEDDED_ZOOKEEPER,
          message(e),
          e.getCause() instanceof BindException
              ? "choose another with NodeOptions.zookeeperPort, or join the ZooKeeper that listens there with NodeOptions.zookeeper"
              : "choose another directory, or an external ZooKeeper with NodeOptions.zookeeper",
          e);
    }
    parts.push("embedded ZooKeeper", limit -> server.close());
    data.zookeeperPort(server.port());
    StoreMark mark = StoreMark.keep(data, server);
    parts.push("mark of the store", limit -> mark.close());
    return server.connectString();
  }

  private static EmbeddedZooKeeper open(
      DataDirectory data, @Nullable Integer given, long reached, Consumer<String> onFailure)
      throws IOException {
    Path directory = data.path().resolve(DataDirectory.ZOOKEEPER);
    int port = given != null ? given : data.zookeeperPort().orElse(USUAL_PORT);
    try {
      return EmbeddedZooKeeper.start(directory, port, reached, onFailure);
    } catch (IOException e) {
      boolean mayMove = given == null && e.getCause() instanceof BindException;
      if (!mayMove) {
        throw e;
      }
      log.warn("port {} of the embedded ZooKeeper is in use, a free port is used instead", port);
      return EmbeddedZooKeeper.start(directory, 0, reached, onFailure);
    }
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
