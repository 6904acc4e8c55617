package io.callboard.zookeeper;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node is in its cell: its handle, incarnation, membership and commit number. {@link #open}
 * and {@link #renew} run one at a time; the rest is read from any thread.
 */
final class NodeSession {
  static final int FORMAT = 1;
  static final int DEFAULT_PARTITIONS = 64;

  private static final Logger log = LoggerFactory.getLogger(NodeSession.class);
  private static final Duration NAME_GRACE = Duration.ofSeconds(2);
  private static final Backoff RETRY =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), Backoff.Jitter.EQUAL);

  private final ZooKeeperOptions options;
  private final ScheduledExecutorService timer;
  private final RandomGenerator random;
  private final Clock clock;
  private final Events events;
  private final Map<String, String> facts = new HashMap<>();
  private @Nullable NodeIdentity identity;
  private volatile @Nullable Handle handle;
  private volatile Layout layout;
  private volatile boolean closed;
  private Promise<Void> connected = Promise.promise();
  private Instant since = Instant.EPOCH;
  private volatile int incarnation;
  private volatile int commitsVersion;

  /** What the session tells its store. */
  interface Events {
    void connected();

    void disconnected();

    void expired();

    /** There is a new handle: watches must be set on it. */
    Future<Void> handleReplaced(Handle next);
  }

  /** As stored in {@code /fmt}. */
  private record Format(int f, int partitions) {}

  /** As stored in {@code /h/<node>}. */
  record StoredMember(
      int f, String boot, String home, Instant since, Map<String, String> facts) {}

  /** As stored in {@code /i/<node>}. */
  private record StoredIncarnation(int f, String boot, long counter) {}

  /** As stored in {@code /s/<node>}. */
  record StoredCommits(int f, long number) {}

  NodeSession(
      ZooKeeperOptions options,
      ScheduledExecutorService timer,
      RandomGenerator random,
      Clock clock,
      Events events) {
    this.options = options;
    this.timer = timer;
    this.random = random;
    this.clock = clock;
    this.events = events;
    this.layout = new Layout(options.root(), DEFAULT_PARTITIONS);
  }

  Layout layout() {
    return layout;
  }

  int incarnation() {
    return incarnation;
  }

  int commitsVersion() {
    return commitsVersion;
  }

  /** A commit was applied. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one commit is in flight
  void committed() {
    commitsVersion++;
  }

  NodeIdentity identity() {
    if (identity == null) {
      throw new IllegalStateException("the store has not been opened");
    }
    return identity;
  }

  /** The current handle; fails the caller if there is none. */
  Handle handle() {
    Handle current = handle;
    if (current == null || closed) {
      throw StoreException.closed();
    }
    return current;
  }

  boolean isClosed() {
    return closed;
  }

  // Opening.

  Future<Session> open(NodeIdentity me) {
    identity = me;
    since = clock.instant();
    connect();
    return awaitConnected(options.connectTimeout())
        .compose(v -> prepare())
        .compose(v -> takeName(clock.instant().plus(options.sessionTimeout()).plus(NAME_GRACE)))
        .compose(v -> incarnate(true))
        .compose(v -> joinAndRead())
        .compose(session -> events.handleReplaced(handle()).map(session))
        .recover(cause -> Errors.translate("the cell cannot be opened", cause));
  }

  private void connect() {
    connected = Promise.promise();
    Promise<Void> mine = connected;
    handle = new Handle(options, event -> onEvent(mine, event));
  }

  private void onEvent(Promise<Void> mine, WatchedEvent event) {
    if (event.getType() != Watcher.Event.EventType.None || closed) {
      return;
    }
    switch (event.getState()) {
      case SyncConnected -> {
        boolean first = mine.tryComplete();
        if (!first) {
          events.connected();
        }
      }
      case Disconnected -> events.disconnected();
      case Expired -> events.expired();
      case AuthFailed ->
          mine.tryFail(
              StoreException.denied(
                  "ZooKeeper refused the credentials", new KeeperException.AuthFailedException()));
      default -> log.debug("{}", event);
    }
  }

  private Future<Void> awaitConnected(Duration limit) {
    Promise<Void> current = connected;
    var late =
        timer.schedule(
            () ->
                current.tryFail(
                    StoreException.unavailable(
                        "ZooKeeper %s cannot be reached within %d s"
                            .formatted(options.servers(), limit.toSeconds()),
                        new KeeperException.ConnectionLossException())),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
    return current.future().onComplete(done -> late.cancel(false));
  }

  /** Makes the cell if it is new; refuses one of a newer format. */
  private Future<Void> prepare() {
    Handle now = handle();
    Future<Void> made = Future.succeededFuture();
    for (int slash = options.root().indexOf('/', 1); slash > 0; slash = options.root().indexOf('/', slash + 1)) {
      String parent = options.root().substring(0, slash);
      made = made.compose(v -> now.ensure(parent, new byte[0]));
    }
    made = made.compose(v -> now.ensure(options.root(), new byte[0]));
    for (String top : Layout.TOP) {
      made = made.compose(v -> now.ensure(layout.top(top), new byte[0]));
    }
    return made
        .compose(v -> now.ensure(layout.format(), Json.bytes(new Format(FORMAT, DEFAULT_PARTITIONS))))
        .compose(v -> now.get(layout.format()))
        .map(
            found -> {
              byte[] data = found.map(Handle.Node::data).orElse(new byte[0]);
              Format format = Json.read(layout.format(), data, Format.class);
              Formats.check("cell " + options.cell(), format.f(), FORMAT);
              layout = new Layout(options.root(), format.partitions());
              return null;
            });
  }

  /** Waits until no other live node has this name; takes over from a dead process of this home. */
  private Future<Void> takeName(Instant deadline) {
    String path = layout.member(identity().name());
    return handle()
        .get(path)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.succeededFuture();
              }
              StoredMember holder = Json.read(path, found.get().data(), StoredMember.class);
              if (holder.home().equals(identity().homeId())) {
                return remove(path, found.get().stat().getVersion());
              }
              if (clock.instant().isAfter(deadline)) {
                return Future.failedFuture(
                    StoreException.nameTaken(
                        "a node named \"%s\" runs in cell %s since %s; choose another name"
                            .formatted(identity().name(), options.cell(), holder.since())));
              }
              return pause(Duration.ofMillis(200)).compose(v -> takeName(deadline));
            });
  }

  private Future<Void> remove(String path, int version) {
    return handle()
        .delete(path, version)
        .recover(
            cause ->
                cause instanceof KeeperException.NoNodeException
                    ? Future.succeededFuture()
                    : Future.failedFuture(cause));
  }

  private Future<Void> pause(Duration delay) {
    Promise<Void> promise = Promise.promise();
    timer.schedule(() -> promise.complete(), delay.toMillis(), TimeUnit.MILLISECONDS);
    return promise.future();
  }

  /** Bumps the incarnation by compare-and-set until a read shows exactly what was written. */
  private Future<Void> incarnate(boolean first) {
    String path = layout.incarnation(identity().name());
    return handle()
        .get(path)
        .compose(
            found -> {
              StoredIncarnation old =
                  found
                      .map(node -> Json.read(path, node.data(), StoredIncarnation.class))
                      .orElse(new StoredIncarnation(FORMAT, "", 0));
              if (!first && !old.boot().equals(identity().bootId())) {
                closed = true;
                return Future.failedFuture(
                    StoreException.nameTaken(
                        "another process took the name \"%s\"".formatted(identity().name())));
              }
              byte[] next =
                  Json.bytes(
                      new StoredIncarnation(FORMAT, identity().bootId(), old.counter() + 1));
              return found.isEmpty()
                  ? handle().create(path, next, CreateMode.PERSISTENT).compose(v -> confirm(path, next))
                  : handle()
                      .set(path, next, found.get().stat().getVersion())
                      .compose(stat -> confirm(path, next));
            });
  }

  private Future<Void> confirm(String path, byte[] written) {
    return handle()
        .get(path)
        .compose(
            found -> {
              if (found.isEmpty() || !java.util.Arrays.equals(found.get().data(), written)) {
                return Future.failedFuture(StoreException.conflict(path + " was changed by another"));
              }
              incarnation = found.get().stat().getVersion();
              return Future.succeededFuture();
            });
  }

  private Future<Session> joinAndRead() {
    String commits = layout.commits(identity().name());
    return join()
        .compose(v -> handle().ensure(commits, Json.bytes(new StoredCommits(FORMAT, 0))))
        .compose(v -> handle().get(commits))
        .map(
            found -> {
              Handle.Node node =
                  found.orElseThrow(() -> StoreException.corrupt(commits + " has vanished"));
              commitsVersion = node.stat().getVersion();
              long number = Json.read(commits, node.data(), StoredCommits.class).number();
              return new Session(layout.partitions(), incarnation, number);
            });
  }

  /** Makes this node a member under the current session. */
  private Future<Void> join() {
    String path = layout.member(identity().name());
    return handle()
        .exists(path, null)
        .compose(
            found -> {
              if (found.map(Stat::getEphemeralOwner).equals(Optional.of(handle().sessionId()))) {
                return Future.succeededFuture();
              }
              Future<Void> gone =
                  found.isEmpty() ? Future.succeededFuture() : remove(path, -1);
              return gone.compose(v -> handle().create(path, member(), CreateMode.EPHEMERAL));
            });
  }

  private byte[] member() {
    synchronized (facts) {
      return Json.bytes(
          new StoredMember(
              FORMAT, identity().bootId(), identity().homeId(), since, Map.copyOf(facts)));
    }
  }

  Future<Void> publish(Map<String, String> next) {
    synchronized (facts) {
      facts.clear();
      facts.putAll(next);
    }
    return handle().set(layout.member(identity().name()), member(), -1).mapEmpty();
  }

  // Renewing.

  /** Retries until it knows; fails only for good. */
  Future<Session> renew(long attempt) {
    if (closed) {
      return Future.failedFuture(StoreException.closed());
    }
    return renewOnce()
        .recover(
            cause -> {
              Throwable failure = Errors.toStore("the session cannot be renewed", cause);
              if (closed || isFinal(failure)) {
                return Future.failedFuture(failure);
              }
              log.info("the session with ZooKeeper is not renewed yet: {}", failure.getMessage());
              return pause(RETRY.delay(attempt, random)).compose(v -> renew(attempt + 1));
            });
  }

  private static boolean isFinal(Throwable cause) {
    return cause instanceof StoreException e
        && switch (e.kind()) {
          case NAME_TAKEN, CORRUPT, DENIED, CLOSED -> true;
          default -> false;
        };
  }

  private Future<Session> renewOnce() {
    Handle old = handle();
    boolean replaced = !old.isAlive();
    if (replaced) {
      connect();
    }
    Future<Void> up =
        handle().isConnected()
            ? Future.succeededFuture()
            : replaced ? awaitConnected(options.connectTimeout()) : pause(Duration.ofMillis(100));
    return up.compose(v -> incarnate(false))
        .compose(v -> joinAndRead())
        .compose(
            session ->
                replaced ? events.handleReplaced(handle()).map(session) : Future.succeededFuture(session));
  }

  /** Leaves: the ephemeral goes with the session. Blocks shortly. */
  void close() throws InterruptedException {
    closed = true;
    Handle current = handle;
    if (current != null) {
      current.close((int) Duration.ofSeconds(2).toMillis());
    }
  }

}
