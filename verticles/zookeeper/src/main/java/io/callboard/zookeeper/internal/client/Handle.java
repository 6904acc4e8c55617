package io.callboard.zookeeper.internal.client;

import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One handle of the plain client, its calls as futures. They complete on the client's event thread,
 * fail with {@link KeeperException}, and are never repeated here.
 */
public final class Handle {
  private final Client client;
  private final List<ACL> acl;

  /** Data and stat of a znode. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Node(byte[] data, Stat stat) {}

  /** A multi that was refused, with the results of its operations. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient List<OpResult> results;

    Refused(Code code, List<OpResult> results) {
      super("refused: " + code);
      this.results = results;
    }

    /** Returns the first operation that failed by itself; -1 if none did. */
    public int culprit() {
      for (int i = 0; i < results.size(); i++) {
        if (results.get(i) instanceof OpResult.ErrorResult error
            && error.getErr() != Code.OK.intValue()
            && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue()) {
          return i;
        }
      }
      return -1;
    }

    /** Returns the result code of one operation of the multi. */
    public Code code(int operation) {
      return Code.get(((OpResult.ErrorResult) results.get(operation)).getErr());
    }
  }

  /** Client that exposes the newest transaction of the ensemble that it has seen. */
  private static final class Client extends ZooKeeper {
    Client(ZooKeeperOptions options, Watcher watcher) throws IOException {
      super(
          options.servers(),
          (int) options.sessionTimeout().toMillis(),
          watcher,
          options.access().clientConfig());
    }

    long lastZxid() {
      return cnxn.getLastZxid();
    }
  }

  /**
   * Opens a handle.
   *
   * @param watcher gets the events of the session
   */
  public Handle(ZooKeeperOptions options, Watcher watcher) {
    ZooKeeperCredentials credentials = options.access().credentials();
    acl = options.access().acl();
    try {
      client = new Client(options, watcher);
      if (credentials != null) {
        client.addAuthInfo(ZooKeeperCredentials.SCHEME, credentials.bytes());
      }
    } catch (IOException e) {
      throw StoreException.unavailable("no client for " + options.servers(), e);
    }
  }

  /** Returns the ACL of every znode that this handle creates. */
  public List<ACL> acl() {
    return acl;
  }

  /** Returns whether the session has neither expired nor been closed. */
  public boolean isAlive() {
    return client.getState().isAlive();
  }

  boolean isConnected() {
    return client.getState().isConnected();
  }

  /** Returns the newest transaction that an answer named; 0 before the first. */
  long lastZxid() {
    return client.lastZxid();
  }

  /** Returns the id of the session; 0 before it is connected. */
  public long sessionId() {
    return client.getSessionId();
  }

  /** Returns the session timeout as the server granted it. */
  public Duration sessionTimeout() {
    return Duration.ofMillis(client.getSessionTimeout());
  }

  /** Sends a multi; fails with {@link Refused} if the server refused one of its operations. */
  public Future<List<OpResult>> multi(List<Op> operations) {
    Promise<List<OpResult>> promise = Promise.promise();
    client.multi(
        operations,
        (rc, path, context, results) -> {
          if (rc == Code.OK.intValue()) {
            promise.complete(results);
          } else if (results != null && !results.isEmpty()) {
            promise.fail(new Refused(Code.get(rc), results));
          } else {
            promise.fail(KeeperException.create(Code.get(rc), "multi"));
          }
        },
        null);
    return promise.future();
  }

  /**
   * Sends a multi of reads: a missing znode is an error result in its place; a denied one fails it.
   */
  public Future<List<OpResult>> readAll(List<Op> reads) {
    if (reads.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return multi(reads)
        .recover(
            cause ->
                cause instanceof Refused refused && refused.results.size() == reads.size()
                    ? found(reads, refused.results)
                    : Future.failedFuture(cause))
        .map(results -> results.stream().map(Handle::withData).toList());
  }

  private static Future<List<OpResult>> found(List<Op> reads, List<OpResult> results) {
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult error
          && error.getErr() == Code.NOAUTH.intValue()) {
        return Future.failedFuture(KeeperException.create(Code.NOAUTH, reads.get(i).getPath()));
      }
    }
    return Future.succeededFuture(results);
  }

  private static OpResult withData(OpResult result) {
    return result instanceof OpResult.GetDataResult node && node.getData() == null
        ? new OpResult.GetDataResult(new byte[0], node.getStat())
        : result;
  }

  /** Returns the data of a znode; ZooKeeper has null for one that somebody wrote without any. */
  private static byte[] orEmpty(byte @Nullable [] data) {
    return data == null ? new byte[0] : data;
  }

  /** Reads data and stat of a znode; empty if there is none. */
  public Future<Optional<Node>> get(String path) {
    Promise<Optional<Node>> promise = Promise.promise();
    client.getData(
        path,
        false,
        (rc, p, context, data, stat) ->
            found(promise, rc, path, stat == null ? null : new Node(orEmpty(data), stat)),
        null);
    return promise.future();
  }

  /**
   * Reads the stat of a znode and sets a watch, unless that is null; empty if there is no such
   * znode.
   */
  public Future<Optional<Stat>> exists(String path, @Nullable Watcher watcher) {
    Promise<Optional<Stat>> promise = Promise.promise();
    client.exists(path, watcher, (rc, p, context, stat) -> found(promise, rc, path, stat), null);
    return promise.future();
  }

  /** Lists the names of the children of a znode; empty if there is no such znode. */
  public Future<Optional<List<String>>> children(String path) {
    Promise<Optional<List<String>>> promise = Promise.promise();
    client.getChildren(
        path, false, (rc, p, context, names) -> found(promise, rc, path, names), null);
    return promise.future();
  }

  private static <T> void found(
      Promise<Optional<T>> promise, int rc, String path, @Nullable T value) {
    if (rc == Code.OK.intValue()) {
      promise.complete(Optional.ofNullable(value));
    } else if (rc == Code.NONODE.intValue()) {
      promise.complete(Optional.empty());
    } else {
      promise.fail(KeeperException.create(Code.get(rc), path));
    }
  }

  /** Creates a znode with the access control list of the handle. */
  public Future<Void> create(String path, byte[] data, CreateMode mode) {
    Promise<Void> promise = Promise.promise();
    client.create(path, data, acl, mode, (rc, p, context, name) -> done(promise, rc, path), null);
    return promise.future();
  }

  /** Creates a persistent znode unless it exists. */
  public Future<Void> ensure(String path, byte[] data) {
    return create(path, data, CreateMode.PERSISTENT)
        .recover(
            cause ->
                cause instanceof KeeperException.NodeExistsException
                    ? Future.succeededFuture()
                    : Future.failedFuture(cause));
  }

  /** Sets the data of a znode that has that version; -1 for any. */
  public Future<Stat> set(String path, byte[] data, int version) {
    Promise<Stat> promise = Promise.promise();
    client.setData(
        path,
        data,
        version,
        (rc, p, context, stat) -> {
          if (rc == Code.OK.intValue()) {
            promise.complete(stat);
          } else {
            promise.fail(KeeperException.create(Code.get(rc), path));
          }
        },
        null);
    return promise.future();
  }

  /** Writes a znode of a known version, see {@link VersionedWrite}; returns its next version. */
  public Future<Integer> overwrite(String path, byte[] data, int version) {
    if (version >= 0 && version < StoredRecord.LAST_VERSION) {
      return set(path, data, version).map(Stat::getVersion);
    }
    return multi(VersionedWrite.of(path, data, version, acl))
        .map(StoredRecord.following(version))
        .recover(
            cause ->
                Future.failedFuture(
                    cause instanceof Refused refused && refused.culprit() >= 0
                        ? KeeperException.create(refused.code(refused.culprit()), path)
                        : cause));
  }

  /** Deletes a znode that has that version; -1 for any. */
  public Future<Void> delete(String path, int version) {
    Promise<Void> promise = Promise.promise();
    client.delete(path, version, (rc, p, context) -> done(promise, rc, path), null);
    return promise.future();
  }

  /** Brings this server up to the leader's state. */
  public Future<Void> sync(String path) {
    Promise<Void> promise = Promise.promise();
    client.sync(path, (rc, p, context) -> done(promise, rc, path), null);
    return promise.future();
  }

  /** Sets a persistent recursive watch. */
  public Future<Void> watch(String path, Watcher watcher) {
    Promise<Void> promise = Promise.promise();
    client.addWatch(
        path,
        watcher,
        AddWatchMode.PERSISTENT_RECURSIVE,
        (rc, p, context) -> done(promise, rc, path),
        null);
    return promise.future();
  }

  /** Removes all watches of this client on a path. */
  public Future<Void> unwatch(String path) {
    Promise<Void> promise = Promise.promise();
    client.removeAllWatches(
        path, Watcher.WatcherType.Any, true, (rc, p, context) -> done(promise, rc, path), null);
    return promise.future();
  }

  private static void done(Promise<Void> promise, int rc, String path) {
    if (rc == Code.OK.intValue()) {
      promise.complete();
    } else {
      promise.fail(KeeperException.create(Code.get(rc), path));
    }
  }

  /** Ends the session; blocks for at most {@code millis}. */
  public void close(int millis) throws InterruptedException {
    client.close(millis);
  }
}
