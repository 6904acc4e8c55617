package io.callboard.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CellListener;
import io.callboard.LeaseListener;
import io.callboard.Time;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.link.Push;
import io.callboard.outbox.GroupCommit;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Supervisor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable actors of this node: those that were spawned, and those that their mail started.
 * Called on the durable context, but for {@link #runners()} and what the store calls.
 */
final class DurableActors implements Ownership.Listener, StoreListener {
  private static final Logger log = LoggerFactory.getLogger(DurableActors.class);

  /** Nobody speaks of the mail of an actor that was idle for so long: a push gives up before. */
  private static final long REMOVED_AFTER_NANOS = 30_000_000_000L;

  /** For the turns under way in a partition that is given back. */
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(5);

  private final CallboardRuntime runtime;
  private final Store store;
  private final Map<ActorPath, Entry> entries = new ConcurrentHashMap<>();
  private final List<Hosted> hosted = new CopyOnWriteArrayList<>();
  private final List<CellListener> listeners = new CopyOnWriteArrayList<>();
  private final List<LeaseListener> leaseListeners = new CopyOnWriteArrayList<>();
  private final Map<ActorPath, Future<Void>> leaving = new HashMap<>();
  private final DirectWatch directs;
  private final OwnOffer offers;
  private @Nullable Ownership ownership;
  private boolean outOfTouch;
  private boolean heard = true;
  private boolean closed;

  /**
   * @param protocol what the actor understands
   * @param hosted the declaration that started it; null if it was spawned by name
   */
  private record Entry(
      DurableRunner runner, Class<?> protocol, @Nullable Hosted hosted, Partition partition) {}

  private record Hosted(
      ActorPath prefix,
      Supplier<? extends Actor<?>> factory,
      Class<?> protocol,
      ActorOptions options) {
    boolean covers(ActorPath path) {
      return path.isWithin(prefix) && !path.equals(prefix);
    }
  }

  DurableActors(CallboardRuntime runtime, Store store) {
    this.runtime = runtime;
    this.store = store;
    this.directs = new DirectWatch(runtime);
    this.offers = new OwnOffer(runtime);
  }

  void start(Ownership claims) {
    ownership = claims;
  }

  private Ownership ownership() {
    if (ownership == null) {
      throw new IllegalStateException("the node has not been started");
    }
    return ownership;
  }

  void listen(CellListener listener) {
    listeners.add(listener);
  }

  /** Completes with the actor's first start, or when it is known to be elsewhere. */
  Future<Void> spawn(
      Supervisor supervisor,
      Ref<?> ref,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    Optional<CallboardException> hindrance = runtime.hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    DurableRunner runner =
        new DurableRunner(runtime, supervisor, ref, factory, options, left(ref.path()));
    Entry entry = new Entry(runner, ref.protocol(), null, ownership().partition(ref.path()));
    if (entries.putIfAbsent(ref.path(), entry) != null) {
      return Future.failedFuture(
          new CallboardException(Code.PATH_TAKEN, "actor " + ref.path() + " runs already"));
    }
    if (supervisor != runtime.supervisor()) {
      left(ref.path()).onComplete(left -> supervisor.add(runner)); // which knows the last one
    }
    boolean below = ref.path().role().isPresent() && !ref.path().isRole();
    Lease lease = ownership().lease(ref.path()).orElse(null);
    if (ref.path().isRole()) {
      ref.path().role().ifPresent(offers::holds);
    }
    if (!below) { // what is below a role goes where the role is
      ownership().wants(ref.path());
    }
    if (lease != null) {
      runner.own(lease);
    } else if (below) {
      runner.disown();
    } else {
      ownership().sweep().onFailure(CallboardRuntime::reportedElsewhere);
    }
    return runner.firstStart();
  }

  /**
   * @param protocol what the factory's actors understand
   */
  Future<Void> host(
      ActorPath prefix,
      Supplier<? extends Actor<?>> factory,
      Class<?> protocol,
      ActorOptions options) {
    Optional<CallboardException> hindrance = runtime.hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    boolean below = prefix.space().equals(Partition.ROLES);
    if (below && prefix.role().isEmpty()) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "roles cannot be hosted: spawn each where it can be held, and host below"
                  + " /roles/<role>"));
    }
    hosted.add(new Hosted(prefix, factory, protocol, options));
    if (below) {
      sweepMail();
      return Future.succeededFuture(); // it goes where the role is
    }
    offers.hosts(prefix.space());
    return ownership().wantSpace(prefix.space()).onComplete(done -> sweepMail());
  }

  /** An actor may have mail; the sequence of its segment is not known. */
  void mailFor(ActorPath path) {
    mailFor(path, Long.MAX_VALUE);
  }

  private void mailFor(ActorPath path, long sequence) {
    if (closed || ownership == null || (outOfTouch && path.role().isPresent())) {
      return;
    }
    Entry entry = entries.get(path);
    if (entry != null) {
      if (entry.runner().isOwned()) {
        entry.runner().mail().hint(sequence);
      }
      return;
    }
    ownership
        .lease(path)
        .ifPresent(
            lease -> {
              for (Hosted candidate : hosted) {
                if (candidate.covers(path)) {
                  activate(path, candidate, lease);
                  return;
                }
              }
            });
  }

  /**
   * Whether an actor handles a message that is in no mailbox; see {@link DirectMail}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Appends.Append message, boolean room) {
    Entry entry = entries.get(message.to());
    boolean handles = entry != null && entry.runner().handles(message, room);
    if (entry != null && handles) {
      directs.over(entry.runner().direct());
    }
    return handles;
  }

  /** This node has put mail into the mailbox of an actor. */
  void delivered(GroupCommit.Delivered mail) {
    Entry entry = entries.get(mail.receiver());
    if (entry != null && entry.runner().isOwned()) {
      entry.runner().mail().delivered(mail.sequence(), mail.mail());
    } else {
      mailFor(mail.receiver(), mail.sequence());
    }
  }

  /**
   * Another node says that it has put mail into the mailbox of an actor. The content is taken only
   * from a live node of this cell that knows this node's lease; else it is a hint.
   */
  void pushed(Push.Received push) {
    Lease lease =
        closed || ownership == null ? null : ownership.lease(push.receiver()).orElse(null);
    if (lease == null) {
      return;
    }
    Entry entry = entries.get(push.receiver());
    boolean known = lease.epoch() == push.epoch() && ownership().isLive(push.from());
    if (entry == null || !entry.runner().isOwned() || !known) {
      mailFor(push.receiver(), known ? push.sequence() : Long.MAX_VALUE);
      return;
    }
    String what = "the push of segment %d to %s".formatted(push.sequence(), push.receiver());
    try {
      List<Envelope> mail = Segment.decode(what, push.segment());
      entry.runner().mail().pushed(push.sequence(), mail, push.segment().length);
    } catch (CodecException e) {
      log.warn("{} by node {} cannot be read: {}", what, push.from(), e.getMessage());
      mailFor(push.receiver());
    }
  }

  private void activate(ActorPath path, Hosted declaration, Lease lease) {
    Ref<Object> ref = new Ref<>(runtime, path, true, Object.class);
    DurableRunner runner =
        new DurableRunner(
            runtime,
            runtime.supervisor(),
            ref,
            declaration.factory(),
            declaration.options(),
            left(path));
    Entry entry =
        new Entry(runner, declaration.protocol(), declaration, ownership().partition(path));
    entries.put(path, entry);
    runner.firstStart().onFailure(CallboardRuntime::reportedElsewhere);
    runner.own(lease);
  }

  /** What this node tells the others that it can own. */
  OwnOffer offers() {
    return offers;
  }

  void listen(LeaseListener listener) {
    leaseListeners.add(listener);
  }

  /** The actor of a role runs here. */
  void serving(ActorPath role, Lease lease) {
    tellOfLease(listener -> listener.serving(role, lease));
  }

  private void tellOfLease(Consumer<LeaseListener> fact) {
    for (LeaseListener listener : leaseListeners) {
      try {
        fact.accept(listener);
      } catch (RuntimeException | Error e) {
        log.error("{} failed when it was told about a lease", listener.getClass().getName(), e);
      }
    }
  }

  /** Looks at the leases; then, whatever came of that, for mail in what is owned. */
  @CanIgnoreReturnValue
  Future<Void> sweep() {
    return ownership().sweep().onComplete(done -> sweepMail());
  }

  /** Looks into every owned partition for mail whose hint was lost. */
  private void sweepMail() {
    for (Partition partition : ownership().ownedPartitions()) {
      lookForMail(partition, null);
    }
  }

  /**
   * @param lost the node that is gone with what worked there; null if none is
   */
  private void lookForMail(Partition partition, @Nullable String lost) {
    store
        .withMail(partition)
        .onComplete(
            found -> {
              runtime.denials().note("the mail of partition " + partition, found.cause());
              if (found.failed() && StoreException.isDenial(found.cause())) {
                return;
              }
              if (found.failed()) {
                log.warn(
                    "the mailboxes of partition {} could not be looked at; the next sweep tries"
                        + " again: {}",
                    partition,
                    found.cause().toString());
              } else if (!found.result().isEmpty()) {
                runtime.onDurableContext(() -> found.result().forEach(path -> hasMail(path, lost)));
              }
            });
  }

  /** What mail starts after its node was lost was at work there. */
  private void hasMail(ActorPath path, @Nullable String lost) {
    boolean known = entries.containsKey(path);
    mailFor(path);
    Entry entry = entries.get(path);
    if (lost != null && !known && entry != null) {
      entry.runner().nodeLost(lost);
    }
  }

  /** Hosted actors that were idle long enough leave memory. */
  void passivate() {
    for (Map.Entry<ActorPath, Entry> each : entries.entrySet()) {
      Entry entry = each.getValue();
      if (entry.hosted() != null
          && entry.runner().idleFor(entry.hosted().options().passivateAfter().toNanos())) {
        passivate(each.getKey(), entry);
      }
    }
  }

  /** What is to be removed stays until it can be. */
  private void passivate(ActorPath path, Entry entry) {
    Optional<StoredRecord> remains = entry.runner().remains();
    if (remains.isPresent() && !entry.runner().idleFor(REMOVED_AFTER_NANOS)) {
      return;
    }
    entries.remove(path, entry);
    Future<Void> gone = entry.runner().stop();
    leaves(
        path,
        gone.compose(
            v -> runtime.fromDurableContext(Promise.promise(), () -> remove(path, remains))));
  }

  /**
   * Removes a deleted actor of which nothing is left; if there is something after all, or the store
   * cannot be reached, it stays until it is passivated again.
   */
  private Future<Void> remove(ActorPath path, Optional<StoredRecord> remains) {
    Optional<Lease> lease = ownership().lease(path);
    if (remains.isEmpty() || lease.isEmpty()) {
      return Future.succeededFuture();
    }
    return store
        .remove(path, lease.get(), remains.get())
        .onFailure(cause -> log.info("{} is not removed: {}", path, cause.getMessage()))
        .otherwiseEmpty();
  }

  private List<Entry> within(Partition partition) {
    return entries.values().stream().filter(e -> e.partition().equals(partition)).toList();
  }

  @Override
  public void gained(Lease lease, Claim claim) {
    String lost = claim.lostOwner().orElse(null);
    runtime.denials().allowed("partition " + lease.partition());
    for (Entry entry : within(lease.partition())) {
      entry.runner().own(lease);
      if (lost != null) {
        entry.runner().nodeLost(lost);
      }
    }
    lookForMail(lease.partition(), lost);
    tellOfLease(listener -> listener.gained(lease, claim));
  }

  /** What is handled becomes durable, nothing else begins; what takes too long is cut off. */
  @Override
  public Future<Void> leave(Partition partition) {
    List<Future<Void>> atRest = new ArrayList<>();
    for (Entry entry : within(partition)) {
      atRest.add(entry.runner().leave());
    }
    if (atRest.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> left = Promise.promise();
    Time.Alarm cutOff =
        runtime.after(
            LEAVE_LIMIT,
            () -> {
              if (left.tryComplete()) {
                log.info("not all that works in partition {} came to rest in time", partition);
              }
            });
    Future.join(atRest)
        .onComplete(
            done -> {
              cutOff.cancel();
              left.tryComplete();
            });
    return left.future();
  }

  @Override
  public void lost(Partition partition) {
    for (Entry entry : within(partition)) {
      ActorPath path = entry.runner().path();
      Future<Void> gone = entry.runner().disown();
      if (entry.hosted() != null) {
        entries.remove(path);
        leaves(path, gone);
      }
    }
    tellOfLease(listener -> listener.lost(partition));
  }

  @Override
  public void elsewhere(Set<Partition> partitions) {
    partitions.forEach(partition -> runtime.denials().allowed("partition " + partition));
    for (Entry entry : List.copyOf(entries.values())) {
      if (!entry.runner().isOwned() && partitions.contains(entry.partition())) {
        entry.runner().disown();
      }
    }
  }

  @Override
  public void denied(Partition partition, StoreException cause) {
    runtime.denials().denied("partition " + partition, cause);
    for (Entry entry : within(partition)) {
      if (!entry.runner().isOwned()) {
        entry.runner().denied(cause);
      }
    }
  }

  @Override
  public void unreadable(Partition partition, StoreException cause) {
    for (Entry entry : within(partition)) {
      if (!entry.runner().isOwned()) {
        entry.runner().unclaimable(cause);
      }
    }
  }

  @Override
  public void looked(@Nullable StoreException denial) {
    runtime.denials().note("the list of leases and members", denial);
  }

  @Override
  public void mail(ActorPath actor, long sequence) {
    runtime.onDurableContext(
        () -> {
          Entry entry = entries.get(actor);
          if (entry != null && runtime.isSendingTo(actor)) {
            entry.runner().mail().expect(sequence);
          } else if (entry != null && entry.runner().isOwned()) {
            entry.runner().mail().foretold(sequence);
          } else {
            mailFor(actor, sequence);
          }
        });
  }

  @Override
  public void leaseChanged(Partition partition) {
    runtime.onDurableContext(
        () -> {
          if (!closed && ownership != null) {
            ownership.changed(partition);
          }
        });
  }

  @Override
  public void membersChanged() {
    runtime.onDurableContext(
        () -> {
          if (!closed && ownership != null) {
            ownership.sweep().onFailure(CallboardRuntime::reportedElsewhere);
            tell(CellListener::membersChanged);
          }
        });
  }

  @Override
  public void connected() {
    runtime.onDurableContext(
        () -> {
          if (!closed && ownership != null) {
            sweep();
            tell(CellListener::membersChanged); // what was said meanwhile is lost
          }
        });
  }

  @Override
  public void disconnected() {
    log.warn("the store cannot be reached; durable work waits");
  }

  /** Roles rest while nobody can tell whether they are held elsewhere by now. */
  @Override
  public void inTouch(boolean inTouch) {
    runtime.onDurableContext(
        () -> {
          heard = inTouch;
          if (closed || ownership == null || outOfTouch != inTouch) {
            return;
          }
          if (inTouch) {
            log.info(
                "the store is heard again: the roles of this node go on, if it still has them");
            lookWhichRolesAreLeft();
          } else {
            log.warn("nothing was heard of the store for two thirds of the session: roles rest");
            outOfTouch = true;
            restRoles();
          }
        });
  }

  private void lookWhichRolesAreLeft() {
    ownership()
        .look()
        .onSuccess(
            looked -> {
              if (heard && outOfTouch) {
                outOfTouch = false;
                goOnWithRoles();
              }
            });
  }

  private void restRoles() {
    for (Entry entry : List.copyOf(entries.values())) {
      if (entry.partition().isRole() && entry.runner().isOwned()) {
        ActorPath path = entry.runner().path();
        Future<Void> gone = entry.runner().disown();
        if (entry.hosted() != null) {
          entries.remove(path);
          leaves(path, gone);
        }
      }
    }
  }

  private void goOnWithRoles() {
    for (Entry entry : List.copyOf(entries.values())) {
      if (entry.partition().isRole() && !entry.runner().isOwned()) {
        ownership().lease(entry.runner().path()).ifPresent(entry.runner()::own);
      }
    }
    sweepMail();
  }

  @Override
  public void sessionLost() {
    log.warn("the session with the store is over; others may take over what this node owned");
    runtime.onDurableContext(() -> tell(CellListener::sessionLost));
  }

  /** What one of them throws keeps it from none of the others. */
  private void tell(Consumer<CellListener> fact) {
    for (CellListener listener : listeners) {
      try {
        fact.accept(listener);
      } catch (RuntimeException | Error e) {
        log.error("{} failed when it was told about the cell", listener.getClass().getName(), e);
      }
    }
  }

  Collection<? extends Runner> runners() {
    return entries.values().stream().map(Entry::runner).toList();
  }

  /** What the actor understands, if it was spawned or is hosted here. Any thread. */
  Optional<Class<?>> protocol(ActorPath path) {
    Entry entry = entries.get(path);
    if (entry != null) {
      return Optional.of(entry.protocol());
    }
    return hosted.stream()
        .filter(candidate -> candidate.covers(path))
        .findFirst()
        .map(Hosted::protocol);
  }

  /**
   * An object of the class that is hosted under that path, for what it understands; null if none
   * is, or it is not to be reached over the event bus. Any thread.
   */
  @Nullable Actor<?> hostedProbe(ActorPath path) {
    return hosted.stream()
        .filter(candidate -> candidate.covers(path))
        .findFirst()
        .filter(candidate -> candidate.options().onBus())
        .<Actor<?>>map(candidate -> candidate.factory().get())
        .orElse(null);
  }

  /** Stops one; completes at once if it is not here, and nothing of it is. */
  Future<Void> stop(ActorPath path) {
    Entry entry = entries.remove(path);
    Future<Void> gone = entry == null ? left(path) : leaves(path, entry.runner().stop());
    if (entry != null && path.isRole() && !closed) {
      gone.onComplete(done -> runtime.onDurableContext(() -> forgo(path, entry.partition())));
    }
    return gone;
  }

  /** Unless the role was declared again meanwhile. */
  private void forgo(ActorPath role, Partition partition) {
    if (!entries.containsKey(role)) {
      role.role().ifPresent(offers::forgoes);
      ownership().forgo(partition);
    }
  }

  /** Its life, or start, still ends: no other at that path is to begin before. */
  @CanIgnoreReturnValue
  private Future<Void> leaves(ActorPath path, Future<Void> gone) {
    if (!gone.isComplete()) {
      leaving.put(path, gone);
      gone.onComplete(done -> runtime.onDurableContext(() -> leaving.remove(path, gone)));
    }
    return gone;
  }

  /** Completes when nothing is left of an actor that is not here any more. */
  private Future<Void> left(ActorPath path) {
    return leaving.getOrDefault(path, Future.succeededFuture());
  }

  @Nullable DurableRunner runner(ActorPath path) {
    Entry entry = entries.get(path);
    return entry == null ? null : entry.runner();
  }

  Future<Void> close() {
    closed = true;
    List<Future<Void>> stops = new ArrayList<>(leaving.values());
    for (Entry entry : entries.values()) {
      stops.add(entry.runner().stop());
    }
    return Future.join(stops).mapEmpty();
  }
}
