package io.callboard.zookeeper.cluster;

import io.callboard.cell.AddressResolver;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.ClusterSerializable;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import io.vertx.spi.cluster.zookeeper.ZookeeperClusterManager;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * the znodes that its node owns. The stock one never does after a session is lost, so that a node
 * which joins later cannot see it, and after a long outage no node sees any other (vertx-zookeeper
 * #69, #105). It also keeps addresses with a slash apart from each other, and checks node infos
 * before it believes them ({@link NodeInfos}). The addresses of actors it keeps out of ZooKeeper
 * ({@link ActorAddresses}).
 *
 * <p>The session is borrowed: {@code Clustering} ends it.
 */
public final class CallboardClusterManager extends ZookeeperClusterManager
    implements AddressResolver {
  private static final Logger log = LoggerFactory.getLogger(CallboardClusterManager.class);
  private static final long LOOK_EVERY_MS = 1_000;
  private static final long FORGET_AFTER_NS = TimeUnit.SECONDS.toNanos(30);

  /** Path of the znodes of the cluster's nodes. */
  public static final String NODES = "/cluster/nodes";

  /** Path of the znodes of the event-bus subscriptions. */
  public static final String SUBSCRIPTIONS = "/__vertx.subs";

  private final CuratorFramework curator;
  private final NodeInfos infos = new NodeInfos();
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
  private volatile @Nullable ActorAddresses actors;
  private volatile @Nullable RegistrationListener listener;

  /**
   * Creates a cluster manager that uses a client that it does not close.
   *
   * @param nodeId the id of the node in the cluster
   */
  public CallboardClusterManager(CuratorFramework curator, String nodeId) {
    super(curator, nodeId);
    this.curator = curator;
  }

  @Override
  public void init(Vertx vertx) {
    super.init(vertx);
    actors = new ActorAddresses(vertx, getNodeId(), this::getNodes, this::led);
  }

  private ActorAddresses actors() {
    return Objects.requireNonNull(
        actors, "Vert.x initialises the cluster manager before it uses it");
  }

  /** Reports that the address of an actor leads to other nodes than reported before. */
  private void led(String address, List<String> nodes) {
    RegistrationListener current = listener;
    if (current != null && current.wantsUpdatesFor(address)) {
      current.registrationsUpdated(new RegistrationUpdateEvent(address, registrations(nodes)));
    }
  }

  private static List<RegistrationInfo> registrations(List<String> nodes) {
    return nodes.stream().map(node -> new RegistrationInfo(node, 0, false)).toList();
  }

  @Override
  public Future<Void> add(Endpoints endpoints) {
    actors().add(endpoints);
    return actors().start();
  }

  @Override
  public void remove(Endpoints endpoints) {
    actors().remove(endpoints);
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
    this.listener = listener;
    super.registrationListener(
        new RegistrationListener() {
          @Override
          public void registrationsUpdated(RegistrationUpdateEvent event) {
            listener.registrationsUpdated(
                new RegistrationUpdateEvent(
                    ZnodeNames.decode(event.address()), event.registrations()));
          }

          @Override
          public void registrationsLost() {
            listener.registrationsLost();
          }

          @Override
          public boolean wantsUpdatesFor(String address) {
            return listener.wantsUpdatesFor(ZnodeNames.decode(address));
          }
        });
  }

  @Override
  public void addRegistration(
      String address, RegistrationInfo registration, Completable<Void> promise) {
    if (isKeptOut(address)) {
      if (ActorAddresses.isActor(address) && !registration.localOnly()) {
        actors().registered(address);
      }
      promise.succeed();
      return;
    }
    String node = ZnodeNames.encode(address);
    if (!registration.localOnly()) {
      own.computeIfAbsent(node, n -> ConcurrentHashMap.newKeySet()).add(registration);
    }
    super.addRegistration(node, registration, promise);
  }

  @Override
  public void removeRegistration(
      String address, RegistrationInfo registration, Completable<Void> promise) {
    if (isKeptOut(address)) {
      if (ActorAddresses.isActor(address) && !registration.localOnly()) {
        actors().unregistered(address).onComplete(promise);
      } else {
        promise.succeed();
      }
      return;
    }
    String node = ZnodeNames.encode(address);
    own.computeIfPresent(
        node,
        (n, known) -> {
          known.remove(registration);
          return known.isEmpty() ? null : known;
        });
    super.removeRegistration(node, registration, promise);
  }

  /**
   * Looks an address up among registrations: an older node answers no such question and registers
   * its actors instead.
   *
   * @param cause why it is not known where the address leads; null if it leads nowhere
   */
  private void registeredBefore(
      String address, @Nullable Throwable cause, Completable<List<RegistrationInfo>> promise) {
    super.getRegistrations(
        ZnodeNames.encode(address),
        (registered, failure) -> {
          boolean none = registered == null || registered.isEmpty();
          promise.complete(
              none && cause != null ? null : registered, none && cause != null ? cause : failure);
        });
  }

  /** Returns whether the address is resolved without ZooKeeper. */
  private static boolean isKeptOut(String address) {
    return ActorAddresses.isActor(address) || address.startsWith(ActorAddresses.NODE);
  }

  @Override
  public void getRegistrations(String address, Completable<List<RegistrationInfo>> promise) {
    if (ActorAddresses.isActor(address)) {
      actors()
          .find(address)
          .onComplete(
              found -> {
                if (found.succeeded() && !found.result().isEmpty()) {
                  promise.succeed(registrations(found.result()));
                } else {
                  registeredBefore(address, found.cause(), promise);
                }
              });
    } else if (address.startsWith(ActorAddresses.NODE)) {
      promise.succeed(registrations(List.of(address.substring(ActorAddresses.NODE.length()))));
    } else {
      super.getRegistrations(ZnodeNames.encode(address), promise);
    }
  }

  @Override
  public void getNodeInfo(String node, Completable<NodeInfo> promise) {
    NodeInfo info;
    try {
      info = infos.of(node);
    } catch (VertxException e) {
      promise.fail(e);
      return;
    }
    promise.succeed(info);
  }

  @Override
  public void childEvent(CuratorFramework client, PathChildrenCacheEvent event) throws Exception {
    infos.heard(event);
    super.childEvent(client, event);
    if (event.getType() == PathChildrenCacheEvent.Type.CONNECTION_RECONNECTED) {
      assertedSession = -1;
    } else if (event.getType() == PathChildrenCacheEvent.Type.CHILD_REMOVED) {
      actors().left(NodeInfos.node(event.getData()));
    }
  }

  /**
   * Creates all registrations again if the session changed or the connection was lost since it last
   * did.
   */
  private void look() {
    NodeInfo info = getNodeInfo();
    try {
      if (left || info == null) {
        return;
      }
      actors().start();
      actors().forgetBefore(System.nanoTime() - FORGET_AFTER_NS);
      if (!curator.getZookeeperClient().isConnected()) {
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
      log.debug(
          "the registrations of this node in the cluster could not be checked; the next check tries again",
          e);
    }
  }

  /**
   * Creates a registration under that session. One that is unregistered meanwhile is removed again,
   * for no other node would remove it.
   */
  public void assertRegistration(long session, String address, RegistrationInfo registration)
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

  /** Creates an ephemeral znode of this session; whether it had not existed under the session. */
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
      log.debug("created {} again under session 0x{}", path, Long.toHexString(session));
      return true;
    } catch (KeeperException.NodeExistsException e) {
      log.debug("{} was created by another request meanwhile", path);
      return false;
    }
  }

  private void deleteOld(String path) throws Exception {
    try {
      curator.delete().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      log.debug("{} was removed already", path);
    }
  }
}
