package io.callboard.zookeeper;

import io.vertx.core.Completable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.ClusterSerializable;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import io.vertx.spi.cluster.zookeeper.ZookeeperClusterManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vert.x's ZooKeeper cluster manager, mended: it asserts again, under the session of the moment,
 * what its node owns. The stock one never does after a session is lost, so that a node which joins
 * later cannot see it, and after a long outage nobody sees anybody (vertx-zookeeper #69, #105). And
 * it keeps addresses with a slash apart from each other.
 *
 * <p>The session is borrowed: {@link Clustering} ends it.
 */
final class CallboardClusterManager extends ZookeeperClusterManager {
  private static final Logger log = LoggerFactory.getLogger(CallboardClusterManager.class);
  private static final long LOOK_EVERY_MS = 1_000;
  static final String NODES = "/cluster/nodes";
  static final String SUBSCRIPTIONS = "/__vertx.subs";

  private final CuratorFramework curator;
  private final Map<String, Set<RegistrationInfo>> own = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looker =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "callboard-cluster-manager");
            thread.setDaemon(true);
            return thread;
          });
  private volatile long assertedSession = -1;
  private volatile boolean left;

  CallboardClusterManager(CuratorFramework curator, String nodeId) {
    super(curator, nodeId);
    this.curator = curator;
  }

  @Override
  public void join(Completable<Void> promise) {
    super.join(
        (result, failure) -> {
          if (failure == null) {
            var unused =
                looker.scheduleWithFixedDelay(
                    this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
          }
          promise.complete(result, failure);
        });
  }

  @Override
  public void leave(Completable<Void> promise) {
    left = true;
    looker.shutdownNow();
    super.leave(promise);
  }

  @Override
  public void registrationListener(RegistrationListener listener) {
    super.registrationListener(
        new RegistrationListener() {
          @Override
          public void registrationsUpdated(RegistrationUpdateEvent event) {
            listener.registrationsUpdated(
                new RegistrationUpdateEvent(
                    Addresses.decode(event.address()), event.registrations()));
          }

          @Override
          public void registrationsLost() {
            listener.registrationsLost();
          }

          @Override
          public boolean wantsUpdatesFor(String address) {
            return listener.wantsUpdatesFor(Addresses.decode(address));
          }
        });
  }

  @Override
  public void addRegistration(
      String address, RegistrationInfo registration, Completable<Void> promise) {
    String node = Addresses.encode(address);
    if (!registration.localOnly()) {
      own.computeIfAbsent(node, n -> ConcurrentHashMap.newKeySet()).add(registration);
    }
    super.addRegistration(node, registration, promise);
  }

  @Override
  public void removeRegistration(
      String address, RegistrationInfo registration, Completable<Void> promise) {
    String node = Addresses.encode(address);
    own.computeIfPresent(
        node,
        (n, known) -> {
          known.remove(registration);
          return known.isEmpty() ? null : known;
        });
    super.removeRegistration(node, registration, promise);
  }

  @Override
  public void getRegistrations(String address, Completable<List<RegistrationInfo>> promise) {
    super.getRegistrations(Addresses.encode(address), promise);
  }

  @Override
  public void childEvent(CuratorFramework client, PathChildrenCacheEvent event) throws Exception {
    super.childEvent(client, event);
    if (event.getType() == PathChildrenCacheEvent.Type.CONNECTION_RECONNECTED) {
      assertedSession = -1;
    }
  }

  /** Asserts all again if the session changed, or the connection was lost, since it last did. */
  private void look() {
    NodeInfo info = getNodeInfo();
    try {
      if (left || info == null || !curator.getZookeeperClient().isConnected()) {
        return;
      }
      long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
      if (session == assertedSession && isOwned(NODES + "/" + getNodeId(), session)) {
        return;
      }
      var unused = assertOwned(session, NODES + "/" + getNodeId(), info);
      for (Map.Entry<String, Set<RegistrationInfo>> entry : own.entrySet()) {
        for (RegistrationInfo registration : entry.getValue()) {
          assertRegistration(session, entry.getKey(), registration);
        }
      }
      assertedSession = session;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.debug("what this node owns in the cluster is asserted again at the next look", e);
    }
  }

  /** One that is removed meanwhile is not left behind: nobody else would remove it. */
  void assertRegistration(long session, String address, RegistrationInfo registration)
      throws Exception {
    String name = registration.nodeId() + "-" + registration.seq();
    String path = SUBSCRIPTIONS + "/" + address + "/" + name;
    boolean made = assertOwned(session, path, registration);
    if (made && !own.getOrDefault(address, Set.of()).contains(registration)) {
      deleteOld(path);
    }
  }

  private boolean isOwned(String path, long session) throws Exception {
    Stat stat = curator.checkExists().forPath(path);
    return stat != null && stat.getEphemeralOwner() == session;
  }

  /** Whether it was not there under this session, and is now. */
  private boolean assertOwned(long session, String path, ClusterSerializable data)
      throws Exception {
    @Nullable Stat stat = curator.checkExists().forPath(path);
    if (stat != null && stat.getEphemeralOwner() == session) {
      return false;
    }
    if (stat != null) {
      deleteOld(path);
    }
    Buffer buffer = Buffer.buffer();
    data.writeToBuffer(buffer);
    try {
      curator
          .create()
          .creatingParentContainersIfNeeded()
          .withMode(CreateMode.EPHEMERAL)
          .forPath(path, buffer.getBytes());
      log.info("asserted {} again under session 0x{}", path, Long.toHexString(session));
      return true;
    } catch (KeeperException.NodeExistsException e) {
      log.debug("{} came back by itself", path);
      return false;
    }
  }

  private void deleteOld(String path) throws Exception {
    try {
      curator.delete().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      log.debug("{} went by itself", path);
    }
  }
}
