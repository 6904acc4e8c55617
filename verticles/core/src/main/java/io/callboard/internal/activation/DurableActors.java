package io.callboard.internal.activation;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.activation.ActiveActors.Entry;
import io.callboard.internal.commit.CommitPort;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.OfferPublisher;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.journal.Redo;
import io.callboard.placement.Locality;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable actors of this node, both spawned ones and hosted ones, which their mail starts. Called
 * on the durable context unless a method says otherwise.
 */
public final class DurableActors {
  private static final Logger log = LoggerFactory.getLogger(DurableActors.class);

  /** Limit of the actors given up that are reported at once. */
  private static final int MOST_FAILED = 1_000;

  /** Limit of the roles that are remembered after they were forgone. */
  private static final int MOST_FORGONE = 1_000;

  private final NodeContext node;
  private final Store store;
  private final OnceOpen<PartitionOwnership> ownership;
  private final ActiveActors activeActors;
  private final DeletedActors deletedActors;
  private final HostDeclaration.All hosted = new HostDeclaration.All();
  private final MemoryStoreWarning memoryStoreWarning;
  private final CellEvents news;
  private final RunnerFactory runners;
  private final MailActivator wake;
  private final OwnedPartitions partitions;
  private final OfferPublisher offers;
  private final Set<ActorPath> forgone = ConcurrentHashMap.newKeySet();
  private boolean closed;

  public DurableActors(
      NodeContext node,
      Store store,
      OnceOpen<PartitionOwnership> ownership,
      AccessDenials denials,
      CellEvents news,
      OfferPublisher offers,
      RunnerFactory runners,
      LongSupplier commitNanos) {
    this.node = node;
    this.store = store;
    this.ownership = ownership;
    this.news = news;
    this.offers = offers;
    this.runners = runners;
    this.activeActors = new ActiveActors(node);
    this.deletedActors = new DeletedActors(node, store, activeActors, this::lease);
    this.wake =
        new MailActivator(
            node,
            store,
            denials,
            activeActors,
            hosted,
            runners,
            this::claims,
            this::deleted,
            commitNanos);
    this.partitions = new OwnedPartitions(node, denials, activeActors, wake, news);
    this.memoryStoreWarning = new MemoryStoreWarning(node.options().isInMemoryByDefault());
  }

  /**
   * Returns the partition ownership; empty before the node is open, and once its actors are
   * stopped.
   */
  Optional<PartitionOwnership> claims() {
    return closed ? Optional.empty() : ownership.ifOpen();
  }

  /** Returns the activator of actors in this node's partitions that have mail. */
  public MailActivator wake() {
    return wake;
  }

  /** Returns the listener for changes of this node's partitions. */
  public OwnedPartitions partitions() {
    return partitions;
  }

  /**
   * Returns the listener for the store's events.
   *
   * @param lost called on the durable context when the store serves this node no more
   */
  public StoreListener events(CommitPort commits, Consumer<Throwable> lost) {
    return new StoreEvents(node, commits, lost, news, this, activeActors, wake);
  }

  /** Spawns an actor; completes with its first start, or when it is known to be on another node. */
  public Future<Void> spawn(
      Supervisor supervisor,
      ActorRefImpl<?> ref,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    Optional<CallboardException> hindrance = node.hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    memoryStoreWarning.warn(ref.path());
    if (!mayRun(ref.path(), options)) {
      ref.path().role().ifPresent(role -> offers.unfit(role, options.requiredLabels()));
      return Future.succeededFuture();
    }
    DurableRunner runner =
        runners.spawned(supervisor, ref, factory, options, activeActors.left(ref.path()));
    Entry entry = new Entry(runner, ref.protocol(), null, ownership.get().partition(ref.path()));
    if (!activeActors.add(entry)) {
      return Future.failedFuture(
          new CallboardException(Code.PATH_TAKEN, "actor " + ref.path() + " runs already"));
    }
    if (supervisor.zone() != null) {
      activeActors
          .left(ref.path())
          .onComplete(left -> supervisor.add(runner)); // which knows the last one
    }
    boolean below = ref.path().role().isPresent() && !ref.path().isRole();
    Lease lease = ownership.get().lease(ref.path()).orElse(null);
    if (ref.path().isRole()) {
      ref.path().role().ifPresent(offers::holds);
    }
    if (!below) { // what is below a role goes where the role is
      ownership.get().wants(ref.path());
    }
    if (lease != null) {
      runner.own(lease);
    } else if (below) {
      runner.disown();
    } else {
      ownership.get().sweep().onFailure(NodeContext::reportedElsewhere);
    }
    return runner.firstStart();
  }

  /** Returns whether this node has the required labels. */
  private boolean mayRun(ActorPath path, ActorOptions options) {
    boolean may = offers.locality().has(options.requiredLabels());
    if (!may) {
      log.info(
          "{} requires the labels {} and this node has {}: it runs on nodes that have them",
          path,
          Locality.text(options.requiredLabels()),
          offers.locality().labels().isEmpty()
              ? "none"
              : Locality.text(offers.locality().labels()));
    }
    return may;
  }

  /** Hosts actors on this node; they are started by their mail. */
  public Future<Void> host(HostDeclaration declared) {
    ActorPath prefix = declared.prefix();
    Optional<CallboardException> hindrance = node.hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    boolean below = prefix.space().equals(Partition.ROLES);
    if (below && prefix.role().isEmpty()) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "roles cannot be hosted: spawn each role on the nodes that may hold "
                  + "it, and host actors below /roles/<role>"));
    }
    memoryStoreWarning.warn(prefix);
    if (!mayRun(prefix, declared.options())) {
      return Future.succeededFuture();
    }
    Optional<CallboardException> taken = hosted.add(declared);
    if (taken.isPresent()) {
      return Future.failedFuture(taken.get());
    }
    if (below) {
      wake.sweep();
      return Future.succeededFuture(); // it goes where the role is
    }
    offers.hosts(prefix.space());
    return ownership.get().wantSpace(prefix.space()).onComplete(done -> wake.sweep());
  }

  /** Reads the leases, then looks for mail in the owned partitions, even if that has failed. */
  @CanIgnoreReturnValue
  public Future<Void> sweep() {
    return ownership.get().sweep().onComplete(done -> wake.sweep());
  }

  private Optional<Lease> lease(ActorPath path) {
    return claims().flatMap(owns -> owns.lease(path));
  }

  /** Passivates hosted actors that were idle long enough, and removes what deleted ones left. */
  public void passivate() {
    for (Entry entry : activeActors.all()) {
      if (entry.hosted() != null
          && entry.runner().idleFor(entry.hosted().options().passivateAfter().toNanos())) {
        Optional<StoredRecord> remains = entry.runner().remains();
        passivate(entry);
        remains.ifPresent(record -> deletedActors.add(entry.path(), record));
      }
    }
    deletedActors.sweep();
  }

  private void passivate(Entry entry) {
    activeActors.remove(entry);
    activeActors.leaves(entry.path(), entry.runner().stop());
  }

  private void deleted(Entry entry, StoredRecord remains) {
    passivate(entry);
    deletedActors.add(entry.path(), remains);
  }

  /** Runners of the actors in memory. Any thread. */
  public Collection<? extends ActorRunner> runners() {
    return activeActors.all().stream().map(Entry::runner).toList();
  }

  /** See {@link io.callboard.cell.Leases#failed}. Any thread. */
  public Map<ActorPath, String> failed() {
    Map<ActorPath, String> found = new TreeMap<>();
    for (Entry entry : activeActors.all()) {
      boolean failed = entry.runner().state() == ActorStatus.State.FAILED;
      if (failed && entry.hosted() != null && found.size() < MOST_FAILED) {
        String cause = entry.runner().status().lastFailure();
        found.put(entry.path(), Objects.requireNonNullElse(cause, ""));
      }
    }
    return found;
  }

  /** Returns the protocol of an actor that was spawned or is hosted here. Any thread. */
  public Optional<Class<?>> protocol(ActorPath path) {
    Entry entry = activeActors.get(path);
    if (entry != null) {
      return Optional.of(entry.protocol());
    }
    return hosted.of(path).map(HostDeclaration::protocol);
  }

  /** Makes the state of an actor again in its next life; the actor must run here. */
  public Future<Void> redo(ActorPath path, Redo redo) {
    return node.fromDurableContext(
        Promise.promise(),
        () -> {
          Entry entry = activeActors.get(path);
          return entry == null
              ? Future.failedFuture(
                  new CallboardException(
                      Code.NO_SUCH_ACTOR, "no durable actor %s runs here".formatted(path)))
              : entry.runner().redo(redo);
        });
  }

  /** Resumes a hosted actor that is not in memory, if an operator stopped it. */
  public Future<Void> resumeStored(ActorPath path) {
    Future<Void> none = Future.failedFuture(CallboardException.noSuchActor(path));
    Lease lease = hosted.of(path).flatMap(here -> ownership.get().lease(path)).orElse(null);
    if (lease == null) {
      return none;
    }
    return store
        .load(path, lease)
        .compose(
            loaded ->
                loaded.record().map(StoredRecord::record).filter(ActorRecord::stopped).isEmpty()
                    ? none
                    : node.fromDurableContext(
                        Promise.promise(), () -> begin(path) ? Future.succeededFuture() : none));
  }

  private boolean begin(ActorPath path) {
    wake.mailFor(path);
    DurableRunner runner = runner(path);
    if (runner != null) {
      runner.lift();
      runner.supervisor().resume(runner); // its mail may have begun it, and it rest already
    }
    return runner != null;
  }

  /** Returns whether this node runs the actor, or hosts it. Any thread. */
  public boolean isHere(ActorPath path) {
    return activeActors.get(path) != null || hosted.of(path).isPresent();
  }

  /** Returns whether this node offered that role, and has forgone it. Any thread. */
  public boolean hasForgone(ActorPath path) {
    return forgone.contains(path);
  }

  /** Returns the host declarations of this node. */
  HostDeclaration.All hosted() {
    return hosted;
  }

  /** Stops an actor; completes at once if neither it nor anything of it is here. */
  public Future<Void> stop(ActorPath path) {
    Entry entry = activeActors.remove(path);
    Future<Void> gone =
        entry == null ? activeActors.left(path) : activeActors.leaves(path, entry.runner().stop());
    if (path.isRole() && !closed) {
      if (forgone.size() < MOST_FORGONE) {
        forgone.add(path);
      }
      Partition partition = ownership.get().partition(path);
      gone.onComplete(done -> node.onDurableContext(() -> forgo(path, partition)));
    }
    return gone;
  }

  /** Forgoes a role, unless it was declared again meanwhile. */
  private void forgo(ActorPath role, Partition partition) {
    if (activeActors.get(role) == null) {
      role.role().ifPresent(offers::forgoes);
      ownership.get().forgo(partition);
    }
  }

  public @Nullable DurableRunner runner(ActorPath path) {
    Entry entry = activeActors.get(path);
    return entry == null ? null : entry.runner();
  }

  public Future<Void> close() {
    closed = true;
    return activeActors.stop();
  }
}
