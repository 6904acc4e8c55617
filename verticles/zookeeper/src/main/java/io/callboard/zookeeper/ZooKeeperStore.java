package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobStore;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.Failover;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.ParkedKey;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.supervision.Failure;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.blob.ZnodeBlobs;
import io.callboard.zookeeper.internal.client.Connection;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.RollbackProbe;
import io.callboard.zookeeper.internal.client.SerialTasks;
import io.callboard.zookeeper.internal.client.SessionLiveness;
import io.callboard.zookeeper.internal.commit.ActorReader;
import io.callboard.zookeeper.internal.commit.Commits;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.lease.ActorRemoval;
import io.callboard.zookeeper.internal.lease.CellWatches;
import io.callboard.zookeeper.internal.lease.LeaseStore;
import io.callboard.zookeeper.internal.lease.SeenEpochs;
import io.callboard.zookeeper.internal.mailbox.KnownParents;
import io.callboard.zookeeper.internal.mailbox.Mailboxes;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import io.callboard.zookeeper.internal.read.ActorRecords;
import io.callboard.zookeeper.internal.read.CellReader;
import io.callboard.zookeeper.internal.read.Documents;
import io.callboard.zookeeper.internal.read.Failovers;
import io.callboard.zookeeper.internal.read.Failures;
import io.callboard.zookeeper.internal.session.NodeName;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of a cell on ZooKeeper; layout and protocol are in the notes of the module's packages.
 * An expired session is replaced without a call; commits built before are then refused until {@link
 * #renew}.
 */
public final class ZooKeeperStore implements Store {
  /**
   * Kinds of failures after which another process, or an older copy of the store, has taken this
   * node's place.
   */
  private static final Set<Kind> REPLACED = EnumSet.of(Kind.NAME_TAKEN, Kind.WENT_BACK);

  private final CellWatches watches = new CellWatches();
  private final Mailboxes mailboxes;
  private final Connection connection;
  private final NodeSession session;
  private final CellReader reader;
  private final ActorRecords records;
  private final LeaseStore leases;
  private final ActorReader actorReader;
  private final Commits commits;
  private final ZnodeBlobs blobs;
  private final Failures failures;
  private final Failovers failovers;
  private final Documents documents;
  private final ActorRemoval actorRemoval;
  private final SessionLiveness sessionLiveness;
  private final RollbackProbe rollback;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ScheduledExecutorService timer;
  private final SerialTasks serialTasks = new SerialTasks();
  private @Nullable Future<Void> closing;

  /**
   * Creates a store whose mailboxes have the default limit, {@link Limits#MAILBOX_MESSAGES}; {@link
   * #open} connects it.
   */
  public ZooKeeperStore(ZooKeeperOptions options) {
    this(options, Limits.MAILBOX_MESSAGES);
  }

  /**
   * Creates a store; {@link #open} connects it.
   *
   * @param mailboxLimit limit of the mailboxes that this node creates
   */
  ZooKeeperStore(ZooKeeperOptions options, int mailboxLimit) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "callboard-zookeeper");
              thread.setDaemon(true);
              return thread;
            });
    SegmentNames names = new SegmentNames();
    KnownParents journals = new KnownParents();
    KnownParents outboxes = new KnownParents();
    Layout layout = new Layout(options.root(), CellFormat.DEFAULT_PARTITIONS);
    mailboxes = new Mailboxes(mailboxLimit);
    connection = new Connection(options, timer, new Events());
    session =
        new NodeSession(
            connection,
            layout,
            new NodeName(connection, Clock.systemUTC(), options.sessionTimeout()),
            new SplittableRandom(new SecureRandom().nextLong()),
            this::watch);
    reader = new CellReader(session);
    records = new ActorRecords(session);
    SeenEpochs epochs = new SeenEpochs();
    leases = new LeaseStore(session, reader, watches, names, epochs, Clock.systemUTC());
    actorReader = new ActorReader(session, mailboxes, names, journals, outboxes);
    commits = new Commits(session, watches, mailboxes, names, journals, outboxes, epochs);
    blobs = new ZnodeBlobs(session, leases);
    failures = new Failures(session);
    failovers = new Failovers(session);
    documents = new Documents(session);
    actorRemoval = new ActorRemoval(session);
    sessionLiveness =
        new SessionLiveness(
            () -> session.handle().sync(session.layout().root()),
            inTouch -> watches.tell(listener -> listener.inTouch(inTouch)),
            until -> watches.tell(listener -> listener.sessionLives(until)),
            System::nanoTime);
    rollback =
        new RollbackProbe(
            options,
            session.layout().root(),
            () -> connection.isClosed() ? Optional.empty() : Optional.of(session.handle()),
            this::end);
    this.timer = timer;
  }

  private Future<Void> watch(Handle handle) {
    return watches.set(handle, session.layout()).compose(set -> leases.look(handle));
  }

  private final class Events implements Connection.Events {
    @Override
    public void connected() {
      sessionLiveness.connected();
      translated("the znodes of this node cannot be read", session::verify)
          .onFailure(ZooKeeperStore.this::endIfReplaced);
      watches.tell(StoreListener::connected);
    }

    @Override
    public void disconnected() {
      watches.tell(StoreListener::disconnected);
    }

    @Override
    public void expired() {
      session.doubt();
      watches.tell(StoreListener::sessionLost);
      translated("the session cannot be replaced", () -> serialTasks.run(session::renewIfDoubtful))
          .onSuccess(renewed -> watches.tell(StoreListener::connected))
          .onFailure(ZooKeeperStore.this::endIfLoss);
    }
  }

  /** Ends the session after a failure that this node cannot survive, and reports it once. */
  private void end(Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      connection.shut();
      watches.tell(listener -> listener.ended(cause));
    }
  }

  private void endIfLoss(Throwable cause) {
    if (isLoss(cause)) {
      end(cause);
    }
  }

  /** Returns whether a session was not renewed although the store is in use. */
  static boolean isLoss(Throwable cause) {
    return !(cause instanceof StoreException known && known.kind() == Kind.CLOSED);
  }

  private void endIfReplaced(Throwable cause) {
    if (cause instanceof StoreException failure && REPLACED.contains(failure.kind())) {
      end(cause);
    }
  }

  /** Returns the id of the session, for tests that end it. */
  long sessionId() {
    return session.handle().sessionId();
  }

  @Override
  public void listen(StoreListener listener) {
    watches.listen(listener);
  }

  @Override
  public Future<Session> open(NodeIdentity identity) {
    NodeName.check(identity.name());
    return translated(
            "the cell cannot be opened", () -> serialTasks.run(() -> session.open(identity)))
        .onSuccess(
            opened -> {
              Duration granted = session.handle().sessionTimeout();
              sessionLiveness.start(timer, granted, session.livedNs());
              rollback.start(granted);
            });
  }

  @Override
  public Future<Session> renew() {
    return translated(
            "the session cannot be renewed",
            () ->
                serialTasks.run(
                    () -> {
                      mailboxes.forgetAll();
                      return session.renew();
                    }))
        .onFailure(this::endIfLoss);
  }

  /** Translates a failure to what the port promises; {@code what} begins its message. */
  private static <T> Future<T> translated(String what, Supplier<Future<T>> operation) {
    try {
      return operation.get().recover(cause -> Errors.translate(what, cause));
    } catch (RuntimeException e) {
      return Errors.translate(what, e);
    }
  }

  // Leases and members.

  @Override
  public Future<Map<Partition, Lease>> leases() {
    return translated("the leases cannot be read", leases::read).onFailure(this::endIfReplaced);
  }

  @Override
  public Future<Map<Partition, Lease>> leases(Set<Partition> partitions) {
    return translated("the leases cannot be read", () -> leases.read(partitions))
        .onFailure(this::endIfReplaced);
  }

  @Override
  public Map<Partition, String> unreadableLeases() {
    return reader.unreadable();
  }

  @Override
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    return translated(
        "partition %s cannot be claimed".formatted(partition), () -> leases.claim(partition, seen));
  }

  @Override
  public Future<Void> release(Lease lease) {
    return translated(
        "partition %s cannot be released".formatted(lease.partition()),
        () -> leases.release(lease));
  }

  @Override
  public Future<List<Member>> members() {
    return translated("the members cannot be listed", reader::members);
  }

  @Override
  public Future<Void> publish(Map<String, String> facts) {
    return translated("the facts of this node cannot be published", () -> session.publish(facts));
  }

  // Reading.

  @Override
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    return translated(actor + " cannot be loaded", () -> actorReader.load(actor, lease));
  }

  @Override
  public Future<List<byte[]>> entries(ActorPath actor, List<JournalKey> keys) {
    return translated(
        "the journal of %s cannot be read".formatted(actor),
        () -> actorReader.entries(actor, keys));
  }

  @Override
  public Future<StoredMail> read(ActorPath actor, long fromSequence) {
    return translated(
        "the mailbox of %s cannot be read".formatted(actor),
        () -> actorReader.read(actor, fromSequence));
  }

  @Override
  public Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return translated(
        "the mailbox of %s cannot be read".formatted(actor), () -> reader.peek(actor, limit));
  }

  @Override
  public Future<Set<Partition>> partitions() {
    return translated("the partitions cannot be listed", reader::partitions);
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return translated(
        "the mail of partition %s cannot be checked".formatted(partition),
        () -> reader.withMail(partition));
  }

  @Override
  public Future<Void> eachActor(ActorPath prefix, Function<StoredActors, Future<Void>> page) {
    return translated("the actors cannot be listed", () -> records.within(prefix, page));
  }

  @Override
  public Future<Void> eachActor(
      ActorPath prefix, Partition partition, Function<StoredActors, Future<Void>> page) {
    return translated("the actors cannot be listed", () -> records.of(partition, prefix, page));
  }

  @Override
  public Future<StoredActors> actors(ActorPath prefix, int limit, Optional<ActorPath> after) {
    return translated("the actors cannot be listed", () -> records.page(prefix, limit, after));
  }

  @Override
  public Future<StoredActors> actors(List<ActorPath> paths) {
    String what = paths.size() == 1 ? paths.get(0).toString() : paths.size() + " actors";
    return translated(what + " cannot be read", () -> records.of(paths));
  }

  @Override
  public Future<List<Failure>> failures(ActorPath actor) {
    return translated(
        "the failures of %s cannot be read".formatted(actor), () -> failures.read(actor));
  }

  @Override
  public Future<Void> keepFailures(ActorPath actor, Lease lease, List<Failure> all) {
    return translated(
        "the failures of %s cannot be written".formatted(actor),
        () -> failures.write(actor, lease, all));
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    return translated("the failovers cannot be read", failovers::read);
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> all) {
    return translated(
        "the failovers of role %s cannot be written".formatted(role),
        () -> failovers.write(lease, role, all));
  }

  @Override
  public Future<Optional<byte[]>> document(Partition role) {
    return translated(
        "the document of role %s cannot be read".formatted(role), () -> documents.read(role));
  }

  @Override
  public Future<Void> keepDocument(Lease lease, byte[] document) {
    return translated(
        "the document of role %s cannot be written".formatted(lease.partition()),
        () -> documents.write(lease, document));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return translated("parked messages cannot be listed", () -> reader.parked(limit));
  }

  @Override
  public Future<Optional<StoredParked>> parked(ParkedKey key) {
    return translated(key + " cannot be read", () -> reader.parked(key));
  }

  @Override
  public Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix) {
    return translated("parked messages cannot be listed", () -> reader.parkedKeys(prefix));
  }

  @Override
  public BlobStore blobs() {
    return blobs;
  }

  // Writing.

  @Override
  public void known(ActorPath actor, long sequence, int messages, int bytes) {
    commits.known(actor, Layout.SegmentName.of(sequence, messages, bytes));
  }

  @Override
  public Future<CommitOutcome> commit(Commit commit) {
    return serialTasks
        .run(() -> commits.send(commit))
        .compose(Commits.Sent::outcome)
        .otherwise(CommitOutcome.Unknown::new);
  }

  @Override
  public Future<Map<ActorPath, Throwable>> remove(
      Lease lease, Map<ActorPath, StoredRecord> records) {
    return translated(
        "deleted actors of partition %s cannot be removed".formatted(lease.partition()),
        () ->
            actorRemoval
                .remove(lease, records)
                .map(
                    stay -> {
                      records.keySet().stream()
                          .filter(actor -> !stay.containsKey(actor))
                          .forEach(commits::forget);
                      return stay;
                    }));
  }

  @Override
  public Future<Void> createMailbox(ActorPath actor) {
    return translated(
        "the mailbox of %s cannot be created".formatted(actor),
        () -> {
          Handle handle = session.handle();
          Layout layout = session.layout();
          // the mailbox last: a node that finds it finds a record too
          return leases
              .parents(handle, actor.partition(layout.partitions()))
              .compose(v -> handle.ensure(layout.record(actor), ActorRecord.EMPTY.encode()))
              .compose(v -> mailboxes.make(handle, layout, actor, 1));
        });
  }

  @Override
  public synchronized Future<Void> close() {
    if (closing == null) {
      sessionLiveness.stop();
      rollback.close();
      closing = connection.close();
    }
    return closing;
  }
}
