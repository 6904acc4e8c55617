package io.callboard.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.LeaseCounts;
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
import io.callboard.turn.Roster.Entry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  private final Roster roster;
  private final Hosted.All hosted = new Hosted.All();
  private final CellNews news = new CellNews();
  private final Unhandled unhandled;
  private final LeaseMeter leaseMeter = new LeaseMeter();
  private final RoleRest roles;
  private final MailSweep mailSweep;
  private final DirectWatch directs;
  private final OwnOffer offers;
  private @Nullable Ownership ownership;
  private boolean closed;

  DurableActors(CallboardRuntime runtime, Store store) {
    this.runtime = runtime;
    this.store = store;
    this.roster = new Roster(runtime);
    this.roles = new RoleRest(roster, this::sweepMail);
    this.mailSweep = new MailSweep(runtime, store, this::withMail);
    this.unhandled = new Unhandled(runtime.options().sweepEvery().dividedBy(3));
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

  /** Any thread. */
  LeaseCounts leaseCounts() {
    return leaseMeter.snapshot();
  }

  /** What is told about the cell, and about the leases of this node. */
  CellNews news() {
    return news;
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
        new DurableRunner(runtime, supervisor, ref, factory, options, roster.left(ref.path()));
    Entry entry = new Entry(runner, ref.protocol(), null, ownership().partition(ref.path()));
    if (!roster.add(entry)) {
      return Future.failedFuture(
          new CallboardException(Code.PATH_TAKEN, "actor " + ref.path() + " runs already"));
    }
    if (supervisor != runtime.supervisor()) {
      roster
          .left(ref.path())
          .onComplete(left -> supervisor.add(runner)); // which knows the last one
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
    if (closed || ownership == null || (roles.rests() && path.role().isPresent())) {
      return;
    }
    Entry entry = roster.get(path);
    if (entry != null) {
      if (entry.runner().isOwned()) {
        entry.runner().mail().hint(sequence);
      }
      return;
    }
    ownership
        .lease(path)
        .ifPresent(
            lease -> hosted.of(path).ifPresent(candidate -> activate(path, candidate, lease)));
  }

  /**
   * Whether an actor handles a message that is in no mailbox; see {@link DirectMail}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Appends.Append message, boolean room) {
    Entry entry = roster.get(message.to());
    boolean handles = entry != null && entry.runner().handles(message, room);
    if (entry != null && handles) {
      directs.over(entry.runner().direct());
    }
    return handles;
  }

  /** This node has put mail into the mailbox of an actor. */
  void delivered(GroupCommit.Delivered mail) {
    Entry entry = roster.get(mail.receiver());
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
    Entry entry = roster.get(push.receiver());
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
            roster.left(path));
    Partition partition = ownership().partition(path);
    roster.put(new Entry(runner, declaration.protocol(), declaration, partition));
    runner.firstStart().onFailure(CallboardRuntime::reportedElsewhere);
    runner.own(lease);
  }

  /** What this node tells the others that it can own. */
  OwnOffer offers() {
    return offers;
  }

  /** Looks at the leases; then, whatever came of that, for mail in what is owned. */
  @CanIgnoreReturnValue
  Future<Void> sweep() {
    return ownership().sweep().onComplete(done -> sweepMail());
  }

  /** Looks into every owned partition for mail whose hint was lost. */
  private void sweepMail() {
    mailSweep.of(ownership().ownedPartitions());
  }

  private void withMail(Partition partition, List<ActorPath> actors, @Nullable String lost) {
    actors.forEach(path -> hasMail(path, lost));
    if (!closed && ownership().owns(partition)) {
      boolean rests = roles.rests() && partition.isRole();
      List<ActorPath> left =
          actors.stream().filter(path -> !rests && roster.get(path) == null).toList();
      unhandled.saw(partition, left, runtime.nanoTime());
    }
  }

  /** Actors with mail in this node's partitions that nothing here runs. Any thread. */
  Set<ActorPath> unhandled() {
    return unhandled.snapshot();
  }

  /** What mail starts after its node was lost was at work there. */
  private void hasMail(ActorPath path, @Nullable String lost) {
    boolean known = roster.get(path) != null;
    mailFor(path);
    Entry entry = roster.get(path);
    if (lost != null && !known && entry != null) {
      entry.runner().nodeLost(lost);
    }
  }

  /** Hosted actors that were idle long enough leave memory. */
  void passivate() {
    for (Entry entry : roster.all()) {
      if (entry.hosted() != null
          && entry.runner().idleFor(entry.hosted().options().passivateAfter().toNanos())) {
        passivate(entry.path(), entry);
      }
    }
  }

  /** What is to be removed stays until it can be. */
  private void passivate(ActorPath path, Entry entry) {
    Optional<StoredRecord> remains = entry.runner().remains();
    if (remains.isPresent() && !entry.runner().idleFor(REMOVED_AFTER_NANOS)) {
      return;
    }
    roster.remove(entry);
    Future<Void> gone = entry.runner().stop();
    roster.leaves(
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

  @Override
  public void gained(Lease lease, Claim claim) {
    String lost = claim.lostOwner().orElse(null);
    runtime.denials().allowed("partition " + lease.partition());
    for (Entry entry : roster.within(lease.partition())) {
      entry.runner().own(lease);
      if (lost != null) {
        entry.runner().nodeLost(lost);
      }
    }
    mailSweep.of(lease.partition(), lost);
    leaseMeter.gained(lease.partition(), claim.loss());
    news.gained(lease, claim);
  }

  /** What is handled becomes durable, nothing else begins; what takes too long is cut off. */
  @Override
  public Future<Void> leave(Partition partition) {
    List<Future<Void>> atRest = new ArrayList<>();
    for (Entry entry : roster.within(partition)) {
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
    roster.within(partition).forEach(roster::disown);
    leaseMeter.lost(partition);
    unhandled.lost(partition);
    news.lost(partition);
  }

  @Override
  public void elsewhere(Set<Partition> partitions) {
    partitions.forEach(partition -> runtime.denials().allowed("partition " + partition));
    for (Entry entry : roster.all()) {
      if (!entry.runner().isOwned() && partitions.contains(entry.partition())) {
        entry.runner().disown();
      }
    }
  }

  @Override
  public void denied(Partition partition, StoreException cause) {
    runtime.denials().denied("partition " + partition, cause);
    for (Entry entry : roster.within(partition)) {
      if (!entry.runner().isOwned()) {
        entry.runner().denied(cause);
      }
    }
  }

  @Override
  public void unreadable(Partition partition, StoreException cause) {
    for (Entry entry : roster.within(partition)) {
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
          Entry entry = roster.get(actor);
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
            news.membersChanged();
          }
        });
  }

  @Override
  public void connected() {
    runtime.onDurableContext(
        () -> {
          if (!closed && ownership != null) {
            sweep();
            news.membersChanged(); // what was said meanwhile is lost
          }
        });
  }

  @Override
  public void disconnected() {
    log.warn("the store cannot be reached; durable work waits");
  }

  @Override
  public void inTouch(boolean inTouch) {
    runtime.onDurableContext(
        () -> {
          if (!closed && ownership != null) {
            roles.inTouch(inTouch, ownership);
          }
        });
  }

  @Override
  public void sessionLives(long untilNanos) {
    runtime.onDurableContext(() -> news.sessionLives(untilNanos));
  }

  @Override
  public void sessionLost() {
    log.warn("the session with the store is over; others may take over what this node owned");
    runtime.onDurableContext(news::sessionLost);
  }

  Collection<? extends Runner> runners() {
    return roster.all().stream().map(Entry::runner).toList();
  }

  /** What the actor understands, if it was spawned or is hosted here. Any thread. */
  Optional<Class<?>> protocol(ActorPath path) {
    Entry entry = roster.get(path);
    if (entry != null) {
      return Optional.of(entry.protocol());
    }
    return hosted.of(path).map(Hosted::protocol);
  }

  /** What this node hosts. */
  Hosted.All hosted() {
    return hosted;
  }

  /** Stops one; completes at once if it is not here, and nothing of it is. */
  Future<Void> stop(ActorPath path) {
    Entry entry = roster.remove(path);
    Future<Void> gone =
        entry == null ? roster.left(path) : roster.leaves(path, entry.runner().stop());
    if (entry != null && path.isRole() && !closed) {
      gone.onComplete(done -> runtime.onDurableContext(() -> forgo(path, entry.partition())));
    }
    return gone;
  }

  /** Unless the role was declared again meanwhile. */
  private void forgo(ActorPath role, Partition partition) {
    if (roster.get(role) == null) {
      role.role().ifPresent(offers::forgoes);
      ownership().forgo(partition);
    }
  }

  @Nullable DurableRunner runner(ActorPath path) {
    Entry entry = roster.get(path);
    return entry == null ? null : entry.runner();
  }

  Future<Void> close() {
    closed = true;
    return roster.stop();
  }
}
