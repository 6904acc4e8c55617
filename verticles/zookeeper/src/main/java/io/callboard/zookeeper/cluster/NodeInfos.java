package io.callboard.zookeeper.cluster;

import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.spi.cluster.NodeInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheEvent;

/**
 * Event-bus endpoints of the nodes, read from their znodes with checks of the lengths. The stock
 * cluster manager makes that znode with the node's id as text, and writes the {@link NodeInfo}
 * later; it takes the text for a node info if it reads in between, whose first length is "node": an
 * array of 1.8 GB.
 */
final class NodeInfos {
  private static final int LENGTH_BYTES = 4;

  private final Map<String, byte[]> written = new ConcurrentHashMap<>();

  /** Notes that a znode was added, changed or removed. */
  void heard(PathChildrenCacheEvent event) {
    ChildData child = event.getData();
    switch (event.getType()) {
      case CHILD_ADDED, CHILD_UPDATED -> {
        byte[] data = child.getData();
        written.put(node(child), data == null ? new byte[0] : data);
      }
      case CHILD_REMOVED -> written.remove(node(child));
      default -> {
        // of the connection: what is cached stays
      }
    }
  }

  static String node(ChildData child) {
    String path = child.getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Decodes the info of a node.
   *
   * @throws VertxException if there is no such node, or it has not published its address yet; the
   *     sender tries again, or its message is lost as with a node that cannot be reached
   */
  NodeInfo of(String node) {
    byte[] data = written.get(node);
    if (data == null) {
      throw new VertxException("node %s is not a member of the cluster".formatted(node), true);
    }
    Buffer buffer = Buffer.buffer(data);
    int host = data.length < LENGTH_BYTES ? -1 : buffer.getInt(0);
    if (host < 0 || host > data.length - LENGTH_BYTES) {
      throw new VertxException("node %s has not published its address yet".formatted(node), true);
    }
    NodeInfo info = new NodeInfo();
    int unused = info.readFromBuffer(0, buffer);
    return info;
  }
}
