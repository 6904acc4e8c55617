package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSegment;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store of a cell on ZooKeeper; see the package's description for layout and protocol. */
public final class ZooKeeperStore implements Store, NodeSession.Events {
  private static final Logger log = LoggerFactory.getLogger(ZooKeeperStore.class);
  private static final int COMMIT_ATTEMPTS = 3;

  private final ScheduledExecutorService timer;
  private final NodeSession session;
  private final SegmentNames names = new SegmentNames();
  private final Mailboxes mailboxes;
  private final Reader reader;
  private final Set<Partition> watched = ConcurrentHashMap.newKeySet();
  private volatile @Nullable StoreListener listener;
  private @Nullable Future<Session> renewing;
  private @Nullable Promise<Void> closing;

  public ZooKeeperStore(ZooKeeperOptions options) {
    this(options, Limits.MAILBOX_MESSAGES);
  }

  /**
   * @param mailboxLimit of the mailboxes that this node makes
   */
  ZooKeeperStore(ZooKeeperOptions options, int mailboxLimit) {
    mailboxes = new Mailboxes(mailboxLimit);
    timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "callboard-zookeeper");
              thread.setDaemon(true);
              return thread;
            });
    SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    session = new NodeSession(options, timer, random, Clock.systemUTC(), this);
    reader = new Reader(session, names);
  }

  /** For tests that end it. */
  long sessionId() {
    return session.handle().sessionId();
  }

  @Override
  public void listen(StoreListener next) {
    listener = next;
  }

  @Override
  public Future<Session> open(NodeIdentity identity) {
    return session.open(identity);
  }

  @Override
  public synchronized Future<Session> renew() {
    if (renewing == null || renewing.isComplete()) {
      mailboxes.forgetAll();
      renewing = session.renew(1);
    }
    return renewing;
  }

  // What the session tells.

  @Override
  public void connected() {
    tell(StoreListener::connected);
  }

  @Override
  public void disconnected() {
    tell(StoreListener::disconnected);
  }

  @Override
  public void expired() {
    tell(StoreListener::sessionLost);
    renew()
        .onSuccess(renewed -> tell(StoreListener::connected))
        .onFailure(cause -> log.error("this node lost its session and cannot get another", cause));
  }

  @Override
  public Future<Void> handleReplaced(Handle next) {
    List<Future<Void>> watches = new ArrayList<>();
    watches.add(next.watch(session.layout().top("h"), this::memberEvent));
    for (Partition partition : watched) {
      watches.add(next.watch(session.layout().mailboxes(partition), this::mailEvent));
    }
    return Future.all(watches).mapEmpty();
  }

  private void tell(java.util.function.Consumer<StoreListener> what) {
    StoreListener current = listener;
    if (current != null && !session.isClosed()) {
      what.accept(current);
    }
  }

  private void memberEvent(WatchedEvent event) {
    if (event.getType() != EventType.None) {
      tell(StoreListener::membersChanged);
    }
  }

  private void mailEvent(WatchedEvent event) {
    if (event.getType() != EventType.NodeCreated) {
      return;
    }
    String path = event.getPath();
    int segment = path.lastIndexOf('/');
    String mailbox = path.substring(path.lastIndexOf('/', segment - 1) + 1, segment);
    if (mailbox.endsWith("~0")) {
      ActorPath actor = Layout.actorOf(mailbox);
      tell(current -> current.mail(actor));
    }
  }

  // Leases.

  @Override
  public Future<Map<Partition, Lease>> leases() {
    return reads("the leases cannot be read", reader::leases);
  }

  @Override
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    return reads(
        "partition %s cannot be claimed".formatted(partition), () -> claimNow(partition, seen));
  }

  private Future<Lease> claimNow(Partition partition, Optional<Lease> seen) {
    Handle handle = session.handle();
    String path = session.layout().lease(partition);
    NodeIdentity me = session.identity();
    long epoch = seen.map(Lease::epoch).orElse(0L) + 1;
    byte[] data =
        Json.bytes(new Reader.StoredLease(NodeSession.FORMAT, epoch, me.name(), me.bootId()));
    int version = seen.map(lease -> lease.version() + 1).orElse(0);
    List<Op> operations =
        List.of(
            Op.check(session.layout().incarnation(me.name()), session.incarnation()),
            seen.isPresent()
                ? Op.setData(path, data, seen.get().version())
                : Op.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    return parents(handle, partition)
        .compose(v -> watch(handle, partition))
        .compose(v -> handle.multi(operations))
        .map(done -> new Lease(partition, epoch, me.name(), me.bootId(), version))
        .recover(
            cause -> {
              watched.remove(partition);
              return cause instanceof Handle.Refused
                  ? Future.failedFuture(
                      StoreException.conflict(
                          "partition %s was claimed by another".formatted(partition)))
                  : Future.failedFuture(cause);
            });
  }

  private Future<Void> watch(Handle handle, Partition partition) {
    watched.add(partition);
    return handle.watch(session.layout().mailboxes(partition), this::mailEvent);
  }

  private Future<Void> parents(Handle handle, Partition partition) {
    List<Future<Void>> made = new ArrayList<>();
    for (String parent : session.layout().parents(partition)) {
      made.add(handle.ensure(parent, new byte[0]));
    }
    return Future.all(made).mapEmpty();
  }

  @Override
  public Future<Void> release(Lease lease) {
    watched.remove(lease.partition());
    byte[] data = Json.bytes(new Reader.StoredLease(NodeSession.FORMAT, lease.epoch(), "", ""));
    return reads(
        "partition %s cannot be released".formatted(lease.partition()),
        () ->
            session
                .handle()
                .set(session.layout().lease(lease.partition()), data, lease.version())
                .mapEmpty());
  }

  // Reading.

  private static <T> Future<T> reads(
      String what, java.util.function.Supplier<Future<T>> operation) {
    try {
      return operation.get().recover(cause -> Errors.translate(what, cause));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  @Override
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    return reads(actor + " cannot be loaded", () -> reader.load(actor, 1));
  }

  @Override
  public Future<List<StoredSegment>> read(ActorPath actor, long fromSequence) {
    return reads(
        "the mailbox of %s cannot be read".formatted(actor),
        () -> reader.readFrom(actor, fromSequence));
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return reads(
        "partition %s cannot be looked at".formatted(partition), () -> reader.withMail(partition));
  }

  @Override
  public Future<List<StoredActor>> actors(ActorPath prefix) {
    return reads("the actors cannot be listed", () -> reader.actors(prefix));
  }

  @Override
  public Future<Optional<StoredActor>> actor(ActorPath path) {
    return reads(
        path + " cannot be read",
        () -> reader.stored(List.of(path)).map(found -> found.stream().findFirst()));
  }

  @Override
  public Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return reads(
        "the mailbox of %s cannot be read".formatted(actor), () -> reader.peek(actor, limit));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return reads("parked messages cannot be listed", () -> reader.parked(limit));
  }

  @Override
  public Future<List<Member>> members() {
    return reads("the members cannot be listed", reader::members);
  }

  @Override
  public Future<Void> publish(Map<String, String> facts) {
    return reads("facts cannot be published", () -> session.publish(facts));
  }

  @Override
  public Future<Void> createMailbox(ActorPath actor) {
    return reads(
        "the mailbox of %s cannot be made".formatted(actor),
        () -> {
          Handle handle = session.handle();
          Layout layout = session.layout();
          return parents(handle, actor.partition(layout.partitions()))
              .compose(v -> handle.ensure(layout.record(actor), ActorRecord.EMPTY.encode()))
              .compose(v -> handle.ensure(layout.mailbox(actor), mailboxes.newHeader()));
        });
  }

  // Committing.

  @Override
  public Future<CommitOutcome> commit(Commit commit) {
    Promise<CommitOutcome> outcome = Promise.promise();
    attempt(commit, outcome, 1);
    return outcome.future();
  }

  private void attempt(Commit commit, Promise<CommitOutcome> outcome, int attempt) {
    Handle handle;
    try {
      handle = session.handle();
    } catch (StoreException e) {
      outcome.complete(new CommitOutcome.Unknown(e));
      return;
    }
    Set<ActorPath> receivers = new LinkedHashSet<>();
    commit.units().forEach(unit -> receivers.addAll(unit.outgoing().keySet()));
    mailboxes
        .look(handle, session.layout(), receivers)
        .onFailure(cause -> outcome.complete(new CommitOutcome.Unknown(cause)))
        .onSuccess(
            obstacle -> {
              if (obstacle.isPresent()) {
                outcome.complete(refused(commit, obstacle.get()));
              } else {
                send(handle, commit, receivers, outcome, attempt);
              }
            });
  }

  private static CommitOutcome refused(Commit commit, Mailboxes.Obstacle obstacle) {
    int unit = 0;
    while (!commit.units().get(unit).outgoing().containsKey(obstacle.receiver())) {
      unit++;
    }
    return new CommitOutcome.Refused(unit, obstacle.reason(), obstacle.receiver().toString());
  }

  private void send(
      Handle handle,
      Commit commit,
      Set<ActorPath> receivers,
      Promise<CommitOutcome> outcome,
      int attempt) {
    Map<ActorPath, Integer> headers = new HashMap<>();
    receivers.forEach(receiver -> headers.put(receiver, mailboxes.header(receiver)));
    Multi multi =
        Multi.of(
            session.layout(),
            names,
            session.identity().name(),
            session.commitsVersion(),
            commit,
            headers,
            reader.journals());
    if (multi.tooLarge()) {
      outcome.complete(
          new CommitOutcome.Refused(
              0, Reason.TOO_LARGE, "a commit of %d bytes".formatted(multi.bytes())));
      return;
    }
    handle
        .multi(multi.operations())
        .onSuccess(
            results -> {
              applied(commit, receivers);
              outcome.complete(new CommitOutcome.Applied());
            })
        .onFailure(cause -> failed(multi, commit, cause, outcome, attempt));
  }

  private void applied(Commit commit, Set<ActorPath> receivers) {
    session.committed();
    receivers.forEach(mailboxes::sent);
    for (CommitUnit unit : commit.units()) {
      unit.write()
          .ifPresent(
              write -> {
                names.consumed(write.actor(), write.consumed());
                if (write.journal() != null) {
                  reader.journals().add(write.actor());
                }
              });
    }
  }

  private void failed(
      Multi multi,
      Commit commit,
      Throwable cause,
      Promise<CommitOutcome> outcome,
      int attempt) {
    int culprit = cause instanceof Handle.Refused refused ? refused.culprit() : -1;
    if (culprit < 0) {
      outcome.complete(new CommitOutcome.Unknown(cause));
      return;
    }
    KeeperException.Code code = ((Handle.Refused) cause).code(culprit);
    Multi.Stale stale = multi.stale(culprit, code);
    if (stale != Multi.Stale.NO && attempt < COMMIT_ATTEMPTS) {
      ActorPath actor = ActorPath.of(multi.detail(culprit));
      if (stale == Multi.Stale.HEADER) {
        mailboxes.forget(actor);
      } else {
        reader.journals().add(actor);
      }
      attempt(commit, outcome, attempt + 1);
      return;
    }
    CommitOutcome.Refused refused = multi.refused(culprit, code);
    if (refused.reason() == Reason.NO_MAILBOX) {
      mailboxes.forget(ActorPath.of(refused.detail()));
    }
    outcome.complete(refused);
  }

  @Override
  public synchronized Future<Void> close() {
    if (closing == null) {
      closing = Promise.promise();
      Promise<Void> done = closing;
      timer.execute(
          () -> {
            try {
              session.close();
              done.complete();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              done.fail(e);
            }
          });
      timer.shutdown();
    }
    return closing.future();
  }
}
