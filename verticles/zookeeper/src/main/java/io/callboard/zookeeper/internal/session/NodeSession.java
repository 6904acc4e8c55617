package io.callboard.zookeeper.internal.session;

import io.callboard.codecs.Json;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.Formats;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.zookeeper.internal.client.Connection;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredCommits;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identity of a node in its cell: name, incarnation and commit number. {@link #open}, {@link
 * #renew} and commits run one at a time; the rest is read from any thread.
 */
public final class NodeSession {
  private static final Logger log = LoggerFactory.getLogger(NodeSession.class);
  private static final Set<Kind> FINAL =
      EnumSet.of(Kind.NAME_TAKEN, Kind.CORRUPT, Kind.WENT_BACK, Kind.DENIED, Kind.CLOSED);
  private static final ExponentialBackoff RETRY =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(2));

  private final Connection connection;
  private final RandomGenerator random;
  private final Function<Handle, Future<Void>> watches;
  private final NodeName name;
  private volatile Layout layout;
  private volatile int incarnation;
  private volatile long counter;
  private volatile Progress progress = new Progress(0, 0);
  private volatile boolean doubtful = true;
  private volatile long livedNs;
  private @Nullable Handle watched;

  /**
   * Progress of this node's commits.
   *
   * @param number of the last applied one
   * @param version of the znode that holds the number
   */
  private record Progress(long number, int version) {
    int versionFor(long commit) {
      int version = this.version;
      for (long next = number + 1; next < commit; next++) {
        version = StoredRecord.following(version);
      }
      return version;
    }
  }

  /** Content of {@code /i/<node>}; its data version is the incarnation. */
  public record StoredIncarnation(int f, String boot, long counter) {
    /** Creates the stored form of an incarnation. */
    public StoredIncarnation {
      Objects.requireNonNull(boot, "it lacks its boot");
    }

    static final int FORMAT = 1;

    /**
     * Decodes an incarnation.
     *
     * @param path names the znode in errors
     */
    public static StoredIncarnation decode(String path, Handle.Node node) {
      StoredIncarnation stored = Json.read("znode " + path, node.data(), StoredIncarnation.class);
      Formats.check("znode " + path, stored.f, FORMAT);
      return stored;
    }
  }

  /**
   * Creates the identity of a node; {@link #open} takes it.
   *
   * @param watches sets all watches on a new handle
   */
  public NodeSession(
      Connection connection,
      Layout layout,
      NodeName name,
      RandomGenerator random,
      Function<Handle, Future<Void>> watches) {
    this.connection = connection;
    this.layout = layout;
    this.name = name;
    this.random = random;
    this.watches = watches;
  }

  /** Returns the paths of the cell; only after {@link #open} with its number of partitions. */
  public Layout layout() {
    return layout;
  }

  /** Returns the present handle. */
  public Handle handle() {
    return connection.handle();
  }

  /** Returns the identity of the node. */
  public NodeIdentity identity() {
    return name.identity();
  }

  /** Returns the present incarnation. */
  public int incarnation() {
    return incarnation;
  }

  /**
   * Returns a time at which the session that was opened lived, by {@link System#nanoTime}: when the
   * write was sent with which it began its incarnation.
   */
  public long livedNs() {
    return livedNs;
  }

  /** Returns the version that a commit must find of the znode with this node's commit number. */
  public int versionFor(Commit commit) {
    return progress.versionFor(commit.number());
  }

  /** Returns whether {@code commit} is the next one to be applied. */
  public boolean isNext(Commit commit) {
    return commit.number() == progress.number() + 1;
  }

  /** Notes that a commit was applied. */
  public void committed(Commit commit) {
    Progress before = progress;
    if (commit.number() == before.number() + 1) {
      progress = new Progress(commit.number(), StoredRecord.following(before.version()));
    }
  }

  /** Notes that it is unknown whether a commit was applied. */
  public void doubt() {
    doubtful = true;
  }

  /** Returns the refusal of a commit that need not be sent. */
  public Optional<Refused> refusal(Commit commit) {
    String why = "";
    if (connection.isClosed()) {
      why = "the store is closed";
    } else if (doubtful) {
      why = "the session must be renewed first";
    } else if (commit.incarnation() != incarnation) {
      why = "the incarnation is %d now, not %d".formatted(incarnation, commit.incarnation());
    } else if (commit.number() <= progress.number()) {
      why = "commit %d was applied already".formatted(progress.number());
    }
    return why.isEmpty() ? Optional.empty() : Optional.of(new Refused(-1, Reason.INCARNATION, why));
  }

  /** Connects, takes the node's name in the cell, and begins a new incarnation. */
  public Future<Session> open(NodeIdentity me) {
    name.is(me);
    return connection
        .connect()
        .compose(up -> CellFormat.open(handle(), layout))
        .compose(
            format -> {
              layout = new Layout(layout.root(), format.partitions());
              return name.take(handle(), layout);
            })
        .compose(
            taken -> {
              long sentNs = System.nanoTime();
              return incarnate(true).onSuccess(v -> livedNs = sentNs);
            })
        .compose(incarnated -> read());
  }

  /** Renews the session; retries until the outcome is known, and fails only permanently. */
  public Future<Session> renew() {
    doubtful = true;
    return renew(1);
  }

  /** Renews the session as {@link #renew} does, unless it was renewed since it became doubtful. */
  public Future<Session> renewIfDoubtful() {
    return doubtful
        ? renew(1)
        : Future.succeededFuture(new Session(layout.partitions(), incarnation, progress.number()));
  }

  private Future<Session> renew(long attempt) {
    if (connection.isClosed()) {
      return Future.failedFuture(StoreException.closed());
    }
    return Future.<Void>succeededFuture()
        .compose(begun -> renewOnce()) // which may throw, for example if no client can be created
        .recover(
            cause -> {
              Throwable failure = Errors.toStore("the session cannot be renewed", cause);
              if (failure instanceof StoreException known && FINAL.contains(known.kind())) {
                connection.shut();
                return Future.failedFuture(failure);
              }
              if (Long.bitCount(attempt) == 1) {
                log.info(
                    "node {} has no session with ZooKeeper after {} attempts, it tries again: {}",
                    identity().name(),
                    attempt,
                    failure.getMessage());
              }
              return connection
                  .pause(RETRY.delay(attempt, random))
                  .compose(later -> renew(attempt + 1));
            });
  }

  private Future<Session> renewOnce() {
    Future<Void> up = handle().isAlive() ? Future.succeededFuture() : connection.connect();
    return up.compose(connected -> incarnate(false))
        .compose(incarnated -> name.keep(handle(), layout))
        .compose(member -> read());
  }

  /**
   * Bumps the incarnation by compare-and-set; a reply shows exactly what was written, and a request
   * of an older attempt that arrives later finds another version.
   */
  private Future<Void> incarnate(boolean opening) {
    String path = layout.incarnation(identity().name());
    return handle()
        .get(path)
        .compose(
            found -> {
              StoredIncarnation old = new StoredIncarnation(StoredIncarnation.FORMAT, "", 0);
              if (found.isPresent()) {
                old = StoredIncarnation.decode(path, found.get());
              } else if (!opening) {
                return Future.failedFuture(name.forgotten(path));
              }
              if (!opening) {
                requireMine(path, old, counter);
              }
              long nextCounter = old.counter() + 1;
              byte[] next =
                  Json.bytes(
                      new StoredIncarnation(
                          StoredIncarnation.FORMAT, identity().bootId(), nextCounter));
              return (found.isEmpty()
                      ? handle().create(path, next, CreateMode.PERSISTENT).map(0)
                      : handle().overwrite(path, next, found.get().stat().getVersion()))
                  .map(
                      version -> {
                        counter = nextCounter;
                        return version;
                      });
            })
        .compose(
            version -> {
              incarnation = version;
              return Future.<Void>succeededFuture();
            })
        .recover(cause -> opening && isRace(cause) ? incarnate(true) : Future.failedFuture(cause));
  }

  /**
   * Fails if the store does not hold any more what this node wrote: it was restored from an older
   * copy, or another process has the name. To be asked when there is a connection again.
   */
  public Future<Void> verify() {
    if (doubtful || counter == 0) {
      return Future.succeededFuture(); // it is being opened, or renewed, which looks for itself
    }
    Handle handle = handle();
    String incarnations = layout.incarnation(identity().name());
    String commits = layout.commits(identity().name());
    long countedBefore = counter;
    long numberBefore = progress.number();
    return handle
        .get(incarnations)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.failedFuture(name.forgotten(incarnations));
              }
              StoredIncarnation stored = StoredIncarnation.decode(incarnations, found.get());
              requireMine(incarnations, stored, countedBefore);
              return handle.get(commits);
            })
        .map(
            found -> {
              if (found.isPresent()) {
                long number = StoredCommits.decode(commits, found.get()).number();
                requireNotBehind(commits, number, numberBefore);
              }
              return (Void) null;
            })
        .recover(
            cause ->
                doubtful || counter != countedBefore
                    ? Future.succeededFuture()
                    : Future.failedFuture(cause));
  }

  /**
   * Requires that the store was not rolled back: it may then hold another process of the same name.
   */
  private void requireMine(String path, StoredIncarnation stored, long before) {
    requireNotBehind(path, stored.counter(), before);
    if (!stored.boot().equals(identity().bootId())) {
      throw name.takenBy(stored.boot());
    }
  }

  private static void requireNotBehind(String path, long number, long before) {
    if (number < before) {
      throw StoreException.wentBack(
          "the store went back: znode %s says %d, it said %d; was an older copy restored?"
              .formatted(path, number, before));
    }
  }

  /** Returns whether a request of the process before this one came in between. */
  private static boolean isRace(Throwable cause) {
    return cause instanceof KeeperException.BadVersionException
        || cause instanceof KeeperException.NodeExistsException;
  }

  /** Reads the commit number, as the last step: no late request can change it any more. */
  private Future<Session> read() {
    String path = layout.commits(identity().name());
    Handle handle = handle();
    return handle
        .ensure(path, StoredCommits.encode(0))
        .compose(there -> handle.get(path))
        .compose(
            found -> {
              Handle.Node node =
                  found.orElseThrow(
                      () -> StoreException.corrupt("znode " + path + " has vanished"));
              StoredCommits stored = StoredCommits.decode(path, node);
              requireNotBehind(path, stored.number(), progress.number());
              progress = new Progress(stored.number(), node.stat().getVersion());
              return watch(handle);
            })
        .map(
            watching -> {
              doubtful = false;
              return new Session(layout.partitions(), incarnation, progress.number());
            });
  }

  private Future<Void> watch(Handle handle) {
    if (watched == handle) {
      return Future.succeededFuture();
    }
    return watches
        .apply(handle)
        .map(
            set -> {
              watched = handle;
              return null;
            });
  }

  /** Publishes the facts of this node in its member znode, in place of those before. */
  public Future<Void> publish(Map<String, String> facts) {
    return name.publish(handle(), layout, facts);
  }
}
