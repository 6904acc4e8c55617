package io.callboard.zookeeper;

import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.cluster.CallboardClusterManager;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.vertx.core.spi.cluster.ClusterManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clustering of a Vert.x through ZooKeeper: a session of Curator's, and a cluster manager that
 * borrows it. Closed after the Vert.x.
 */
public final class Clustering implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Clustering.class);
  private static final int RETRY_BASE_MS = 100;
  private static final int RETRY_MAX_MS = 2_000;
  private static final int RETRIES = 10;

  private final CuratorFramework session;
  private final ClusterManager manager;

  private Clustering(CuratorFramework session, ClusterManager manager) {
    this.session = session;
    this.manager = manager;
  }

  /** {@link #connect(ZooKeeperOptions, String)} for a process without a data directory. */
  public static Clustering connect(ZooKeeperOptions options) {
    return connect(options, UUID.randomUUID().toString());
  }

  /**
   * Connects; blocks at most {@link ZooKeeperOptions#connectTimeout()}. A cell of a newer format is
   * refused before anything is written.
   *
   * @param homeId identifies the data directory whose exclusive lock the process holds: what an
   *     earlier process with it left in the cluster is dead, and removed at once
   * @throws StoreException of kind {@code UNAVAILABLE}, {@code DENIED} or {@code CORRUPT}, with one
   *     clear line
   */
  public static Clustering connect(ZooKeeperOptions options, String homeId) {
    CuratorFramework session = session(options);
    try {
      reach(session, options);
      enter(session.usingNamespace(null), options);
    } catch (RuntimeException e) {
      boolean interrupted = Thread.currentThread().isInterrupted();
      session.close();
      if (interrupted) { // which Curator forgets
        Thread.currentThread().interrupt();
      }
      throw e;
    }
    String prefix = "node-" + homeId + "-";
    removeDead(session, prefix);
    String nodeId = prefix + UUID.randomUUID().toString().substring(0, 8);
    return new Clustering(session, new CallboardClusterManager(borrowed(session), nodeId));
  }

  /**
   * Starts a session in the namespace of the cluster manager, which it has from the start: one that
   * is entered later is cached in a way of which newer versions of Java warn.
   */
  private static CuratorFramework session(ZooKeeperOptions options) {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(options.servers())
            .namespace(options.root().substring(1) + "/vertx")
            .sessionTimeoutMs((int) options.sessionTimeout().toMillis())
            .connectionTimeoutMs(connectionTimeoutMs(options))
            .retryPolicy(new BoundedExponentialBackoffRetry(RETRY_BASE_MS, RETRY_MAX_MS, RETRIES))
            .aclProvider(new SameForAll(options.access().acl()))
            // else what is made without data has the address of its host, as text
            .defaultData(new byte[0])
            .zkClientConfig(options.access().clientConfig());
    ZooKeeperCredentials credentials = options.access().credentials();
    if (credentials != null) {
      builder.authorization(ZooKeeperCredentials.SCHEME, credentials.bytes());
    }
    CuratorFramework session = builder.build();
    session.start();
    return session;
  }

  /** Curator complains of one that is longer than a session. */
  private static int connectionTimeoutMs(ZooKeeperOptions options) {
    return (int) Math.min(options.connectTimeout().toMillis(), options.sessionTimeout().toMillis());
  }

  private static void reach(CuratorFramework session, ZooKeeperOptions options) {
    int limit = (int) options.connectTimeout().toMillis();
    try {
      if (!session.blockUntilConnected(limit, TimeUnit.MILLISECONDS)) {
        throw StoreException.unavailable(
            "%s cannot be reached within %d s%s"
                .formatted(
                    options.ensemble(),
                    options.connectTimeout().toSeconds(),
                    unknownHosts(options.servers())),
            new KeeperException.ConnectionLossException());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.unavailable("interrupted while connecting to ZooKeeper", e);
    }
  }

  /** Returns which hosts of an ensemble have no address, as the end of a sentence. Blocks. */
  private static String unknownHosts(String servers) {
    List<String> unknown = new ArrayList<>();
    for (String server : servers.split(",", -1)) {
      String host = server.substring(0, Math.max(0, server.lastIndexOf(':')));
      try {
        InetAddress unused = InetAddress.getByName(host);
      } catch (UnknownHostException e) {
        unknown.add(host);
      }
    }
    return unknown.isEmpty() ? "" : ": no address is known for " + String.join(", ", unknown);
  }

  /**
   * Enters the cell: a new one gets its root, and nothing is written to one that this node cannot
   * read.
   */
  private static void enter(CuratorFramework session, ZooKeeperOptions options) {
    String path = options.root() + "/fmt";
    try {
      var unused = CellFormat.decode("znode " + path, session.getData().forPath(path));
    } catch (KeeperException.NoNodeException e) {
      makeRoot(session, options.root());
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private static void makeRoot(CuratorFramework session, String root) {
    try {
      var unused = session.create().creatingParentsIfNeeded().forPath(root, new byte[0]);
    } catch (KeeperException.NodeExistsException e) {
      log.debug("{} is there", root);
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private static StoreException failure(Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return StoreException.unavailable("interrupted while opening the cell", e);
    }
    return Errors.toStore("the cell cannot be opened", e) instanceof StoreException known
        ? known
        : StoreException.unavailable("the cell cannot be opened: " + e.getMessage(), e);
  }

  /** One list of rights for whatever is made, by the cluster manager too. */
  private record SameForAll(List<ACL> acl) implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return acl;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return acl;
    }
  }

  /**
   * Removes what the dead process of a node has left, to which others would send until its session
   * expires.
   */
  private static void removeDead(CuratorFramework cluster, String prefix) {
    try {
      removeChildren(cluster, CallboardClusterManager.NODES, prefix);
      for (String address : children(cluster, CallboardClusterManager.SUBSCRIPTIONS)) {
        removeChildren(cluster, CallboardClusterManager.SUBSCRIPTIONS + "/" + address, prefix);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.warn(
          "registrations that an earlier process of this node left in the cluster could not be removed; they go when its session expires: {}",
          e.toString());
    }
  }

  private static void removeChildren(CuratorFramework cluster, String parent, String prefix)
      throws Exception {
    for (String child : children(cluster, parent)) {
      if (child.startsWith(prefix)) {
        cluster.delete().quietly().forPath(parent + "/" + child);
      }
    }
  }

  private static List<String> children(CuratorFramework cluster, String parent) throws Exception {
    try {
      return cluster.getChildren().forPath(parent);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  /**
   * Returns the client with a {@code close} that does nothing: the borrower must not end the
   * session.
   */
  private static CuratorFramework borrowed(CuratorFramework lent) {
    return (CuratorFramework)
        Proxy.newProxyInstance(
            CuratorFramework.class.getClassLoader(),
            new Class<?>[] {CuratorFramework.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(lent, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns the cluster manager, for {@code Vertx.builder().withClusterManager}. */
  public ClusterManager manager() {
    return manager;
  }

  /** Returns the id of the session, for tests that end it. */
  long sessionId() throws Exception {
    return session.getZookeeperClient().getZooKeeper().getSessionId();
  }

  @Override
  public void close() {
    session.close();
  }
}
