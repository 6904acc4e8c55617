package io.callboard.internal.ownership;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.placement.Claims;
import io.callboard.placement.Decisions;
import io.callboard.placement.Decisions.Claim;
import io.callboard.placement.VacancyReason;
import io.callboard.placement.WantReason;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Ownership of the partitions of this node's durable actors: reads leases and members, and does
 * what {@link Claims} decides. One read at a time; one that fails is repeated after a pause, which
 * grows, while a partition that is wanted is not owned. A partition that the store denies is
 * claimed again only when it is wanted again; one whose lease cannot be read, when it can be read
 * again. Called on the durable context.
 */
public final class PartitionOwnership {
  private final Store store;
  private final int partitions;
  private final Consumer<Runnable> onContext;
  private final LongSupplier nanoTime;
  private final Listener listener;
  private final Claims claims;
  private final Map<Partition, StoreException> denied = new HashMap<>();
  private final HandOvers handOvers;
  private final LeaseRefresh leaseRefresh;
  private boolean closed;

  /** Listener for changes, called on the durable context. */
  public interface Listener {
    /**
     * @param claim how this node came to own the partition
     */
    void gained(Lease lease, Claim claim);

    void lost(Partition partition);

    /** Brings the actors of a partition to rest; completes when that is done, and never fails. */
    Future<Void> leave(Partition partition);

    /** Reports the wanted partitions that other nodes own. */
    void elsewhere(Set<Partition> partitions);

    /** Reports a wanted partition that the store denies. */
    void denied(Partition partition, StoreException cause);

    /** Reports a wanted partition whose lease cannot be read. */
    void unreadable(Partition partition, StoreException cause);

    /**
     * Reports whether the leases can be read.
     *
     * @param denial the store's denial; null if it allows it
     */
    void looked(@Nullable StoreException denial);
  }

  /**
   * @param onContext runs a task on the durable context
   * @param later runs a task there after a delay
   */
  public PartitionOwnership(
      Store store,
      String node,
      String bootId,
      int partitions,
      Consumer<Runnable> onContext,
      BiConsumer<Duration, Runnable> later,
      LongSupplier nanoTime,
      RandomGenerator random,
      Listener listener) {
    this.store = store;
    this.partitions = partitions;
    this.onContext = onContext;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.claims = new Claims(node, bootId);
    this.handOvers = new HandOvers(store, claims, onContext, listener, this::handedOver);
    this.leaseRefresh = new LeaseRefresh(new Reading(), later, nanoTime, random);
  }

  public Partition partition(ActorPath path) {
    return path.partition(partitions);
  }

  /**
   * Returns the lease by which this node runs the actor; empty if it is another node's, or is
   * coming to rest here.
   */
  public Optional<Lease> lease(ActorPath path) {
    return claims.lease(partition(path));
  }

  /** Returns the lease of the live node that owned the actor's partition at the last read. */
  public Optional<Lease> elsewhere(ActorPath path) {
    return claims.elsewhere(partition(path));
  }

  /** Returns whether a node of that boot id was a member at the last read. */
  public boolean isLive(String boot) {
    return claims.isLive(boot);
  }

  /** Returns whether this node owns the partition, and it is not coming to rest. */
  public boolean owns(Partition partition) {
    return claims.lease(partition).isPresent();
  }

  /** Returns the number of partitions of a space. Any thread. */
  public int partitions() {
    return partitions;
  }

  /** Returns every lease that this node has, also of partitions that come to rest. */
  public List<Lease> held() {
    return claims.held();
  }

  public Set<Partition> ownedPartitions() {
    return claims.owned();
  }

  /**
   * Wants the partition of an actor that this node can run. Completes after the next read of the
   * leases.
   */
  public Future<Void> want(ActorPath path) {
    wants(path);
    return sweep();
  }

  /** Wants the partition of an actor without reading the leases. */
  public void wants(ActorPath path) {
    want(partition(path), path.isRole() ? WantReason.ROLE : WantReason.SPAWNED);
  }

  /** Wants the partitions of a space, every actor of which this node can run. */
  public Future<Void> wantSpace(String space) {
    for (int i = 0; i < partitions; i++) {
      want(new Partition(space, i), WantReason.HOSTED);
    }
    return sweep();
  }

  /** Gives up being a candidate for a role. */
  public void forgo(Partition role) {
    claims.forgo(role);
    leaseRefresh.soon();
  }

  /** Wants a partition; denials that stand against it are reported once more. */
  private void want(Partition partition, WantReason wantReason) {
    claims.want(partition, wantReason);
    denied.remove(partition);
  }

  /** Reports a commit that was refused because another node owns the actor's partition. */
  public void lost(ActorPath path) {
    drop(partition(path));
    sweep().onFailure(NodeContext::reportedElsewhere);
  }

  private void drop(Partition partition) {
    if (claims.held(partition).isPresent()) {
      claims.lost(partition);
      listener.lost(partition);
    }
  }

  /** Reports that the lease of a partition has changed. */
  public void changed(Partition partition) {
    leaseRefresh.soon(partition);
  }

  /** Reports a live member that is suspected to be gone, or no longer suspected. */
  public void suspect(String boot, Optional<VacancyReason> loss) {
    claims.suspect(boot, loss);
    leaseRefresh.soon(); // by what is known
    leaseRefresh
        .all() // then what it owns is looked at: whoever takes more lives
        .onFailure(NodeContext::reportedElsewhere);
  }

  /** Starts to give back the partitions that others offer, or takes its share again. */
  public void drain(boolean draining) {
    claims.drain(draining);
    leaseRefresh.soon();
  }

  /**
   * Gives a partition of this node's to the next of its ranking, once it is at rest.
   *
   * @return whether that was begun
   */
  public boolean yield(Partition partition, long epoch) {
    boolean owned = claims.lease(partition).filter(lease -> lease.epoch() == epoch).isPresent();
    if (!owned || !claims.isOffered(partition)) {
      return false;
    }
    claims.yield(partition, nanoTime.getAsLong());
    leaseRefresh.soon();
    return true;
  }

  /** Reads every lease: claims what is free, notices what is gone. */
  public Future<Void> sweep() {
    return leaseRefresh.all();
  }

  /** Completes when all leases were read after this call and losses are known; or when closed. */
  public Future<Void> look() {
    return leaseRefresh.allSeen();
  }

  private final class Reading implements LeaseRefresh.Look {
    @Override
    public void all(Promise<Void> done) {
      readAll(done);
    }

    @Override
    public void some(Set<Partition> which, Promise<Void> done) {
      read(which, done);
    }

    @Override
    public boolean isUnsettled() {
      return claims.lacking().stream().anyMatch(p -> !denied.containsKey(p))
          || !claims.useless().isEmpty();
    }
  }

  private void readAll(Promise<Void> done) {
    Future.all(store.leases(), store.members())
        .onComplete(
            read ->
                guarded(
                    done,
                    () -> {
                      if (read.failed()) {
                        notRead(read.cause());
                        leaseRefresh.ended(done, read.cause());
                        return;
                      }
                      listener.looked(null);
                      claims.saw(
                          read.result().resultAt(0),
                          store.unreadableLeases().keySet(),
                          read.result().resultAt(1),
                          nanoTime.getAsLong());
                      act(done, true);
                    }));
  }

  private void read(Set<Partition> which, Promise<Void> done) {
    if (which.isEmpty()) {
      guarded(done, () -> act(done, false));
      return;
    }
    store
        .leases(which)
        .onComplete(
            read ->
                guarded(
                    done,
                    () -> {
                      if (read.failed()) {
                        leaseRefresh.allNext(); // what changed is not known yet
                        leaseRefresh.ended(done, read.cause());
                        return;
                      }
                      claims.saw(which, read.result());
                      act(done, false);
                    }));
  }

  private void guarded(Promise<Void> done, Runnable step) {
    onContext.accept(
        () -> {
          try {
            step.run();
          } catch (RuntimeException | Error e) {
            leaseRefresh.ended(done, e);
          }
        });
  }

  private void notRead(Throwable cause) {
    if (cause instanceof StoreException denial && denial.kind() == StoreException.Kind.DENIED) {
      denied(denial);
    }
  }

  /**
   * Handles a denial to read: nothing can be claimed; what is owned is fenced by its lease and goes
   * on.
   */
  private void denied(StoreException cause) {
    if (closed) {
      return;
    }
    listener.looked(cause);
    claims.lacking().forEach(partition -> denied(partition, cause));
  }

  private void denied(Partition partition, StoreException cause) {
    if (denied.putIfAbsent(partition, cause) == null) {
      listener.denied(partition, cause);
    }
  }

  /**
   * @param read whether all leases were read for this
   */
  private void act(Promise<Void> done, boolean read) {
    if (closed) {
      leaseRefresh.ended(done, StoreException.closed());
      return;
    }
    Decisions now = claims.decide(nanoTime.getAsLong());
    now.lost().forEach(listener::lost);
    if (read) {
      leaseRefresh.seen();
    }
    Map<Partition, String> damage = store.unreadableLeases();
    now.unreadable()
        .forEach(
            partition ->
                listener.unreadable(
                    partition, StoreException.corrupt(String.valueOf(damage.get(partition)))));
    denied.keySet().removeAll(now.elsewhere());
    listener.elsewhere(now.elsewhere());
    now.handOvers().forEach(handOvers::begin);
    now.lookAgainNanos().ifPresent(leaseRefresh::in);
    List<Future<Void>> tried = new ArrayList<>();
    for (Claim claim : now.claims()) {
      if (!denied.containsKey(claim.partition())) {
        tried.add(claim(claim));
      }
    }
    for (Lease lease : now.releases()) {
      tried.add(
          store
              .release(lease)
              .map(
                  free -> {
                    onContext.accept(() -> claims.released(lease));
                    return null;
                  }));
    }
    Future.join(tried)
        .onComplete(
            claimed ->
                guarded(
                    done,
                    () -> leaseRefresh.ended(done, claimed.failed() ? claimed.cause() : null)));
  }

  private Future<Void> claim(Claim claim) {
    return store
        .claim(claim.partition(), claim.seen())
        .<Void>map(
            lease -> {
              onContext.accept(() -> granted(lease, claim));
              return null;
            })
        .recover(cause -> notGranted(claim.partition(), cause));
  }

  private void granted(Lease lease, Claim claim) {
    if (closed) {
      store.release(lease).onFailure(NodeContext::reportedElsewhere);
      return;
    }
    denied.remove(lease.partition());
    claims.granted(lease, nanoTime.getAsLong());
    listener.gained(lease, claim);
  }

  private Future<Void> notGranted(Partition partition, Throwable cause) {
    StoreException.Kind kind =
        cause instanceof StoreException failure ? failure.kind() : StoreException.Kind.UNAVAILABLE;
    if (kind == StoreException.Kind.CONFLICT) {
      onContext.accept(leaseRefresh::allNext);
      return Future.succeededFuture();
    } else if (kind == StoreException.Kind.DENIED) {
      onContext.accept(() -> denied(partition, (StoreException) cause));
    }
    return Future.failedFuture(cause);
  }

  /** Reads the lease of a hand-over again, whether it was given back or not. */
  private void handedOver(boolean givenBack) {
    if (!givenBack) {
      leaseRefresh.allNext();
    }
    leaseRefresh.soon();
  }

  /** Gives back, at rest, the partitions that others offer; called before anything else closes. */
  public Future<Void> handOverAll() {
    claims.drain(true);
    return sweep().compose(looked -> handOvers.over());
  }

  /** Gives every lease back. */
  public Future<Void> close() {
    closed = true;
    leaseRefresh.close();
    return handOvers.close();
  }
}
