package io.callboard.store.memory;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.BlobStore;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.Failover;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.PackedCommit;
import io.callboard.store.ParkedKey;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredFailures;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.store.memory.MemoryFaults.Fault;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that implements the whole protocol, for tests and experiments. Stores of one
 * {@link MemoryCell} are the nodes of one cell.
 *
 * <p>Every call takes effect before it returns, in the order of the calls; only the futures and the
 * listener are left to the executor.
 */
public final class MemoryStore implements Store {
  private final MemoryCell cell;
  private final Executor executor;
  private final MemoryFaults faults;
  private final MemoryBlobs blobs;
  private final List<Runnable> events = new ArrayList<>();
  private @Nullable StoreListener listener;
  private @Nullable NodeIdentity identity;
  private Instant since = Instant.EPOCH;
  private Map<String, String> facts = Map.of();
  private boolean mustRenew;
  private boolean closed;

  /** Creates the only node of a new cell; futures complete before a call returns. */
  public MemoryStore() {
    this(new MemoryCell());
  }

  /** Creates a node of {@code cell}; futures complete before a call returns. */
  public MemoryStore(MemoryCell cell) {
    this(cell, Runnable::run, MemoryFaults.NONE);
  }

  /**
   * Creates the store of one node of a cell.
   *
   * @param executor completes futures and calls the listener
   */
  public MemoryStore(MemoryCell cell, Executor executor, MemoryFaults faults) {
    this.cell = cell;
    this.executor = executor;
    this.faults = faults;
    this.blobs = new MemoryBlobs(this, cell);
  }

  /**
   * Runs {@code operation} alone in the cell, then reports its result and the events that it
   * caused.
   */
  private <T> Future<T> run(Supplier<T> operation) {
    Promise<T> promise = Promise.promise();
    Runnable tell;
    List<MemoryStore> told;
    synchronized (cell) {
      told = new ArrayList<>(cell.live());
      try {
        T result = operation.get();
        tell = () -> promise.complete(result);
      } catch (RuntimeException | Error e) {
        tell = () -> promise.fail(e);
      }
      told.addAll(cell.live());
    }
    told.stream().distinct().forEach(MemoryStore::flush);
    executor.execute(tell);
    return promise.future();
  }

  <T> Future<T> whileOpen(Supplier<T> operation) {
    return run(
        () -> {
          NodeIdentity unused = me();
          return operation.get();
        });
  }

  private Future<Void> act(Runnable operation) {
    return whileOpen(
        () -> {
          operation.run();
          return null;
        });
  }

  private NodeIdentity me() {
    if (closed || identity == null) {
      throw StoreException.closed();
    }
    return identity;
  }

  private void tell(Consumer<StoreListener> event) {
    events.add(
        () -> {
          if (listener != null) {
            event.accept(listener);
          }
        });
  }

  private void flush() {
    List<Runnable> due;
    synchronized (cell) {
      due = List.copyOf(events);
      events.clear();
    }
    due.forEach(executor::execute);
  }

  boolean isBoot(String boot) {
    return identity != null && identity.bootId().equals(boot);
  }

  // The session.

  @Override
  public void listen(StoreListener next) {
    listener = next;
  }

  @Override
  public Future<Session> open(NodeIdentity who) {
    return run(
        () -> {
          MemoryNode node = cell.node(who.name());
          Optional<MemoryStore> holder = node.holder().filter(other -> other != this);
          if (holder.isPresent()) {
            NodeIdentity other = holder.get().me();
            if (!other.homeId().equals(who.homeId())) {
              throw StoreException.nameTaken(
                  "a node named \"%s\" runs already, boot %s"
                      .formatted(who.name(), other.bootId()));
            }
          }
          identity = who;
          since = cell.clock().instant();
          return join(node, false);
        });
  }

  @Override
  public Future<Session> renew() {
    return whileOpen(
        () -> {
          MemoryNode node = cell.node(me().name());
          if (!node.isOf(me().bootId())) {
            String name = me().name();
            closed = true;
            throw StoreException.nameTaken("another process took the name \"%s\"".formatted(name));
          }
          return join(node, true);
        });
  }

  private Session join(MemoryNode node, boolean rejoins) {
    boolean member = node.holder().filter(holder -> holder == this).isPresent();
    node.join(this, me().bootId(), since, facts);
    mustRenew = false;
    if (!member) {
      membersChanged();
    }
    if (rejoins && !member) {
      tell(StoreListener::connected);
    }
    return new Session(cell.partitions(), node.incarnation(), node.commitNumber());
  }

  private void membersChanged() {
    cell.live().forEach(store -> store.tell(StoreListener::membersChanged));
  }

  /**
   * Expires the session, as if the node had been silent for too long: its membership ends, and
   * commits are refused until {@link #renew}.
   */
  public Future<Void> expire() {
    return act(
        () -> {
          leave();
          mustRenew = true;
          tell(StoreListener::sessionLost);
        });
  }

  /**
   * Reports to the listener that the store has been silent for too long, or answers again; for
   * tests.
   */
  public Future<Void> inTouch(boolean inTouch) {
    return act(() -> tell(told -> told.inTouch(inTouch)));
  }

  /**
   * Reports to the listener until when the session lives, by {@link System#nanoTime}; for tests.
   */
  public Future<Void> sessionLives(long untilNanos) {
    return act(() -> tell(told -> told.sessionLives(untilNanos)));
  }

  private void leave() {
    MemoryNode node = cell.node(me().name());
    if (node.holder().filter(holder -> holder == this).isPresent()) {
      node.leave();
      membersChanged();
    }
  }

  @Override
  public Future<Void> close() {
    return run(
        () -> {
          if (!closed && identity != null) {
            leave();
          }
          closed = true;
          return null;
        });
  }

  // Leases and members.

  @Override
  public Future<Map<Partition, Lease>> leases() {
    return whileOpen(cell::leases);
  }

  @Override
  public Future<Map<Partition, Lease>> leases(Set<Partition> partitions) {
    return whileOpen(() -> cell.leases(partitions));
  }

  @Override
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    return whileOpen(
        () -> {
          Lease lease = cell.claim(partition, seen, me());
          leaseChanged(partition);
          return lease;
        });
  }

  @Override
  public Future<Void> release(Lease lease) {
    return act(
        () -> {
          cell.release(lease);
          leaseChanged(lease.partition());
        });
  }

  private void leaseChanged(Partition partition) {
    cell.live().forEach(store -> store.tell(told -> told.leaseChanged(partition)));
  }

  @Override
  public Future<List<Member>> members() {
    return whileOpen(cell::members);
  }

  @Override
  public Future<Void> publish(Map<String, String> next) {
    return act(
        () -> {
          facts = Map.copyOf(next);
          MemoryNode node = cell.node(me().name());
          if (node.holder().filter(holder -> holder == this).isPresent()) {
            node.publish(facts);
            membersChanged();
          }
        });
  }

  // Reading.

  @Override
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    return whileOpen(() -> cell.load(actor, lease));
  }

  @Override
  public Future<List<byte[]>> entries(ActorPath actor, List<JournalKey> keys) {
    return whileOpen(() -> cell.entries(actor, keys));
  }

  @Override
  public Future<StoredMail> read(ActorPath actor, long fromSequence) {
    return whileOpen(() -> cell.read(actor, fromSequence));
  }

  @Override
  public Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return whileOpen(() -> cell.peek(actor, limit));
  }

  @Override
  public Future<Set<Partition>> partitions() {
    return whileOpen(cell::partitionsWithActors);
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return whileOpen(() -> cell.withMail(partition));
  }

  @Override
  public Future<Void> eachActor(ActorPath prefix, Function<StoredActors, Future<Void>> page) {
    return whileOpen(() -> cell.actors(prefix)).compose(all -> pages(all, page));
  }

  @Override
  public Future<Void> eachActor(
      ActorPath prefix, Partition partition, Function<StoredActors, Future<Void>> page) {
    return whileOpen(
            () ->
                cell.actors(prefix).stream()
                    .filter(actor -> actor.partition().equals(partition))
                    .toList())
        .compose(all -> pages(all, page));
  }

  private static Future<Void> pages(
      List<StoredActor> all, Function<StoredActors, Future<Void>> page) {
    Future<Void> done = Future.succeededFuture();
    for (int from = 0; from < all.size(); from += Limits.PAGE_ACTORS) {
      List<StoredActor> some = all.subList(from, Math.min(all.size(), from + Limits.PAGE_ACTORS));
      done = done.compose(before -> page.apply(new StoredActors(some, Map.of())));
    }
    return done;
  }

  @Override
  public Future<StoredActors> actors(ActorPath prefix, int limit, Optional<ActorPath> after) {
    return whileOpen(() -> cell.actors(prefix, limit, after));
  }

  @Override
  public Future<StoredActors> actors(List<ActorPath> paths) {
    return whileOpen(() -> cell.stored(paths));
  }

  @Override
  public Future<List<Failure>> failures(ActorPath actor) {
    return whileOpen(() -> cell.failures(actor));
  }

  @Override
  public Future<Void> keepFailures(ActorPath actor, Lease lease, List<Failure> failures) {
    return act(() -> cell.keepFailures(actor, lease, StoredFailures.encode(failures)));
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    return whileOpen(cell::failovers);
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers) {
    return act(() -> cell.keepFailovers(lease, role, failovers));
  }

  @Override
  public Future<Optional<byte[]>> document(Partition role) {
    return whileOpen(() -> cell.document(role));
  }

  @Override
  public Future<Void> keepDocument(Lease lease, byte[] document) {
    return act(() -> cell.keepDocument(lease, document));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return whileOpen(() -> cell.parked(limit));
  }

  @Override
  public Future<Optional<StoredParked>> parked(ParkedKey key) {
    return whileOpen(() -> cell.parked(key));
  }

  @Override
  public Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix) {
    return whileOpen(() -> cell.parkedKeys(prefix));
  }

  @Override
  public BlobStore blobs() {
    return blobs;
  }

  // Writing.

  @Override
  public Future<Map<ActorPath, Throwable>> remove(
      Lease lease, Map<ActorPath, StoredRecord> records) {
    return whileOpen(() -> cell.remove(lease, records));
  }

  @Override
  public Future<Void> createMailbox(ActorPath actor) {
    return act(() -> cell.createMailbox(actor));
  }

  @Override
  public Future<CommitOutcome> commit(Commit commit) {
    return run(() -> sent(commit)).otherwise(Unknown::new);
  }

  private CommitOutcome sent(Commit commit) {
    if (closed || identity == null) {
      return new Refused(-1, Reason.INCARNATION, "the store is closed");
    }
    PackedCommit packed;
    try {
      packed = PackedCommit.pack(commit);
    } catch (RuntimeException | Error e) {
      return Refused.unsendable(e);
    }
    Optional<Refused> refused = packed.refusal(cell.partitions());
    if (refused.isPresent()) {
      return refused.get();
    } else if (mustRenew) {
      return new Refused(-1, Reason.INCARNATION, "the session must be renewed first");
    }
    Fault fault = faults.next(commit);
    CommitOutcome outcome = fault == Fault.LOSE_REQUEST ? lost("request") : arrived(packed);
    return fault == Fault.LOSE_REPLY ? lost("reply") : outcome;
  }

  private Unknown lost(String what) {
    mustRenew = true;
    return new Unknown(new IllegalStateException("the %s was lost".formatted(what)));
  }

  private CommitOutcome arrived(PackedCommit packed) {
    MemoryNode node = cell.node(me().name());
    Commit commit = packed.commit();
    if (!node.isOf(me().bootId()) || commit.incarnation() != node.incarnation()) {
      return new Refused(-1, Reason.INCARNATION, "the incarnation is not current");
    } else if (commit.number() != node.commitNumber() + 1) {
      String detail = "the last commit was number " + node.commitNumber();
      boolean late = commit.number() <= node.commitNumber();
      return new Refused(-1, late ? Reason.INCARNATION : Reason.AGAIN, detail);
    }
    CommitOutcome outcome = cell.commit(packed);
    if (outcome instanceof CommitOutcome.Applied applied) {
      node.committed();
      applied.appended().forEach(this::hint);
    }
    return outcome;
  }

  private void hint(ActorPath receiver, long sequence) {
    cell.ownerOf(receiver).ifPresent(owner -> owner.tell(told -> told.mail(receiver, sequence)));
  }
}
