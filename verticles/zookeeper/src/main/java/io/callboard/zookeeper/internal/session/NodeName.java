package io.callboard.zookeeper.internal.session;

import io.callboard.store.NodeIdentity;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.Connection;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredMember;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's name in its cell: the ephemeral {@code /h/<node>}. An ephemeral belongs to a session:
 * one that an earlier session left vanishes later and takes the membership with it, so it is
 * replaced.
 */
public final class NodeName {
  private static final Logger log = LoggerFactory.getLogger(NodeName.class);
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_@+=-][A-Za-z0-9._@+=:-]{0,99}");
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Connection connection;
  private final Clock clock;
  private final Duration patience;
  private @Nullable NodeIdentity identity;
  private Instant since = Instant.EPOCH;
  private volatile String waitedFor = "";
  private volatile Map<String, String> facts = Map.of();

  /**
   * Creates the name of a node, which is not taken yet.
   *
   * @param sessionTimeout how long the session of a dead process may last
   */
  public NodeName(Connection connection, Clock clock, Duration sessionTimeout) {
    this.connection = connection;
    this.clock = clock;
    this.patience = sessionTimeout.plus(GRACE);
  }

  void is(NodeIdentity me) {
    identity = me;
    since = clock.instant();
  }

  /**
   * Checks that {@code name} can be the name of a node.
   *
   * @throws IllegalArgumentException if it cannot be stored
   */
  public static void check(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "\"%s\" is not a node name: use up to 100 letters, digits and - _ . @ + = :, the first neither a dot nor a colon"
              .formatted(name));
    }
  }

  /** Returns whether {@code name} can be the name of a node. */
  public static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }

  NodeIdentity identity() {
    if (identity == null) {
      throw StoreException.closed();
    }
    return identity;
  }

  /**
   * Waits until no other live process has the name; one of this home is dead for certain, its
   * membership is removed.
   */
  Future<Void> take(Handle handle, Layout layout) {
    return take(handle, layout, System.nanoTime() + patience.toNanos());
  }

  private Future<Void> take(Handle handle, Layout layout, long deadlineNs) {
    String path = layout.member(identity().name());
    return handle
        .get(path)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return join(handle, path, () -> take(handle, layout, deadlineNs));
              }
              StoredMember holder = StoredMember.decode(path, found.get());
              if (holder.home().equals(identity().homeId())) {
                return replace(handle, path, () -> take(handle, layout, deadlineNs));
              } else if (System.nanoTime() - deadlineNs > 0) {
                return Future.failedFuture(
                    StoreException.nameTaken(
                        "a live node has the name \"%s\", since %s: choose another"
                            .formatted(identity().name(), holder.since())));
              }
              tellWait(holder);
              return connection
                  .pause(LOOK_EVERY)
                  .compose(later -> take(handle, layout, deadlineNs));
            });
  }

  /** Logs the wait, once for each process that holds the name. */
  private void tellWait(StoredMember holder) {
    if (!holder.boot().equals(waitedFor)) {
      waitedFor = holder.boot();
      log.info(
          "the name \"{}\" is held since {} by a process that may be dead: waiting at most {} ms"
              + " for its session to end",
          holder.name(),
          holder.since(),
          patience.toMillis());
    }
  }

  /** Makes this node a member under the present session, if it is not. */
  Future<Void> keep(Handle handle, Layout layout) {
    String path = layout.member(identity().name());
    return handle
        .get(path)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return join(handle, path, () -> keep(handle, layout));
              }
              StoredMember holder = StoredMember.decode(path, found.get());
              if (!holder.boot().equals(identity().bootId())) {
                return Future.failedFuture(takenBy(holder.boot()));
              } else if (found.get().stat().getEphemeralOwner() != handle.sessionId()) {
                return replace(handle, path, () -> keep(handle, layout));
              }
              return write(handle, path, found.get(), () -> keep(handle, layout));
            });
  }

  /** Replaces the membership that was read, unless it is equal. */
  private Future<Void> write(Handle handle, String path, Handle.Node seen, Retry retry) {
    byte[] member = member();
    if (Arrays.equals(seen.data(), member)) {
      return Future.succeededFuture();
    }
    return handle
        .set(path, member, seen.stat().getVersion())
        .<Void>mapEmpty()
        .recover(
            cause ->
                cause instanceof KeeperException.BadVersionException
                    ? retry.again()
                    : Future.failedFuture(cause));
  }

  private interface Retry {
    Future<Void> again();
  }

  private Future<Void> join(Handle handle, String path, Retry retry) {
    return handle
        .create(path, member(), CreateMode.EPHEMERAL)
        .recover(
            cause ->
                cause instanceof KeeperException.NodeExistsException
                    ? retry.again()
                    : Future.failedFuture(cause));
  }

  private static Future<Void> replace(Handle handle, String path, Retry retry) {
    return handle
        .delete(path, -1)
        .recover(
            cause ->
                cause instanceof KeeperException.NoNodeException
                    ? Future.succeededFuture()
                    : Future.failedFuture(cause))
        .compose(gone -> retry.again());
  }

  /** Returns the failure of a process that finds another one in its place. */
  StoreException takenBy(String boot) {
    return StoreException.nameTaken(
        "another process, boot %s, took the name \"%s\"; this one stops"
            .formatted(boot, identity().name()));
  }

  /** Returns the failure of a process whose incarnation was removed. */
  StoreException forgotten(String path) {
    return StoreException.nameTaken(
        "znode %s is gone: an operator removed the node \"%s\" (fsck --forget-nodes); this process"
                .formatted(path, identity().name())
            + " stops, restart it");
  }

  private byte[] member() {
    NodeIdentity me = identity();
    return new StoredMember(StoredMember.FORMAT, me.name(), me.bootId(), me.homeId(), since, facts)
        .encode();
  }

  /** Publishes facts; if that fails, the next renewal publishes them. */
  Future<Void> publish(Handle handle, Layout layout, Map<String, String> next) {
    facts = Map.copyOf(next);
    return publish(handle, layout.member(identity().name()));
  }

  /** Publishes the facts, only over a membership of this process and session. */
  private Future<Void> publish(Handle handle, String path) {
    return handle
        .get(path)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.failedFuture(notOurs(path, "is gone"));
              }
              StoredMember holder = StoredMember.decode(path, found.get());
              if (!holder.boot().equals(identity().bootId())) {
                return Future.failedFuture(takenBy(holder.boot()));
              } else if (found.get().stat().getEphemeralOwner() != handle.sessionId()) {
                return Future.failedFuture(notOurs(path, "is of an earlier session"));
              }
              return write(handle, path, found.get(), () -> publish(handle, path));
            });
  }

  private static StoreException notOurs(String path, String why) {
    return StoreException.conflict(
        "znode %s %s: the session must be renewed first".formatted(path, why));
  }
}
