package io.callboard.turn;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the partitions of this node's durable actors. A partition is claimed when nobody owns it
 * or its owner is no live member; newcomers never pre-empt. A look that fails is repeated after a
 * pause, which grows, while a partition that is wanted is not owned. One that the store denies is
 * claimed again only when it is wanted again; one whose lease nobody can read, when it can be read
 * again. Called on the durable context.
 */
final class Ownership {
  private static final Logger log = LoggerFactory.getLogger(Ownership.class);
  private static final ExponentialBackoff PAUSE =
      Backoff.exponential(Duration.ofMillis(250), Duration.ofSeconds(10));

  private final Store store;
  private final String node;
  private final String bootId;
  private final int partitions;
  private final Consumer<Runnable> onContext;
  private final BiConsumer<Duration, Runnable> later;
  private final RandomGenerator random;
  private final Listener listener;
  private final Set<Partition> wanted = new HashSet<>();
  private final Map<Partition, StoreException> denied = new HashMap<>();
  private final Set<Partition> unreadable = new HashSet<>();
  private final Map<Partition, Lease> owned = new HashMap<>();
  private Map<Partition, Lease> others = Map.of();
  private Set<String> live = Set.of();
  private Promise<Void> swept = Promise.promise();
  private boolean sweeping;
  private boolean again;
  private boolean pausing;
  private long failures;
  private boolean told;
  private boolean closed;

  /** Told about changes, on the durable context. */
  interface Listener {
    /**
     * @param lost the node that owned it before and is gone without having given it back; null if
     *     there is none
     */
    void gained(Lease lease, @Nullable String lost);

    void lost(Partition partition);

    /** The partitions that others own, after a look at all. */
    void elsewhere(Set<Partition> partitions);

    /** The store denies a partition that is wanted. */
    void denied(Partition partition, StoreException cause);

    /** The lease of a partition that is wanted cannot be read; {@code cause} says why. */
    void unreadable(Partition partition, StoreException cause);

    /** Whether the leases can be looked at: the store denies it, or allows it, with null. */
    void looked(@Nullable StoreException denial);
  }

  /**
   * @param onContext runs it on the durable context
   * @param later runs it there, so much later
   */
  Ownership(
      Store store,
      String node,
      String bootId,
      int partitions,
      Consumer<Runnable> onContext,
      BiConsumer<Duration, Runnable> later,
      RandomGenerator random,
      Listener listener) {
    this.store = store;
    this.node = node;
    this.bootId = bootId;
    this.partitions = partitions;
    this.onContext = onContext;
    this.later = later;
    this.random = random;
    this.listener = listener;
  }

  Partition partition(ActorPath path) {
    return path.partition(partitions);
  }

  Optional<Lease> lease(ActorPath path) {
    return Optional.ofNullable(owned.get(partition(path)));
  }

  /** The lease of the live node that owned the actor's partition when all were looked at last. */
  Optional<Lease> elsewhere(ActorPath path) {
    return Optional.ofNullable(others.get(partition(path)));
  }

  /** Whether a node of that boot id was a member of the cell when all were looked at last. */
  boolean isLive(String boot) {
    return live.contains(boot);
  }

  Set<Partition> ownedPartitions() {
    return Set.copyOf(owned.keySet());
  }

  /** This node can run that actor. Completes after the next look at the leases. */
  Future<Void> want(ActorPath path) {
    wanted.add(partition(path));
    forgive(partition(path));
    return sweep();
  }

  /** This node can run every actor of that space. */
  Future<Void> wantSpace(String space) {
    for (int i = 0; i < partitions; i++) {
      wanted.add(new Partition(space, i));
      forgive(new Partition(space, i));
    }
    return sweep();
  }

  /** What stands against it is told once more. */
  private void forgive(Partition partition) {
    denied.remove(partition);
    unreadable.remove(partition);
  }

  /** A commit was refused: another node owns the partition of that actor. */
  void lost(ActorPath path) {
    drop(partition(path));
    sweep().onFailure(CallboardRuntime::reportedElsewhere);
  }

  private void drop(Partition partition) {
    if (owned.remove(partition) != null) {
      listener.lost(partition);
    }
  }

  /** Looks at every lease: claims what is free, notices what is gone. */
  Future<Void> sweep() {
    Future<Void> result = swept.future();
    if (closed) {
      return Future.succeededFuture();
    }
    if (sweeping) {
      again = true;
      return result;
    }
    sweeping = true;
    Future.all(store.leases(), store.members())
        .onComplete(
            read ->
                onContext.accept(
                    () -> {
                      try {
                        looked(read);
                      } catch (RuntimeException | Error e) {
                        ended(e);
                      }
                    }));
    return result;
  }

  private void looked(AsyncResult<CompositeFuture> read) {
    if (read.failed()) {
      if (read.cause() instanceof StoreException cause
          && cause.kind() == StoreException.Kind.DENIED) {
        denied(cause);
      }
      ended(read.cause());
    } else {
      listener.looked(null);
      look(read.result().resultAt(0), read.result().resultAt(1));
    }
  }

  /** Nothing can be claimed; what is owned is fenced by its lease and goes on. */
  private void denied(StoreException cause) {
    if (closed) {
      return;
    }
    listener.looked(cause);
    for (Partition partition : wanted) {
      if (!owned.containsKey(partition)) {
        denied(partition, cause);
      }
    }
  }

  private void denied(Partition partition, StoreException cause) {
    if (denied.putIfAbsent(partition, cause) == null) {
      listener.denied(partition, cause);
    }
  }

  private void look(Map<Partition, Lease> leases, List<Member> members) {
    if (closed) {
      ended(StoreException.closed());
      return;
    }
    for (Lease mine : List.copyOf(owned.values())) {
      if (!mine.equals(leases.get(mine.partition()))) {
        drop(mine.partition());
      }
    }
    live = members.stream().map(Member::bootId).collect(Collectors.toUnmodifiableSet());
    others =
        leases.values().stream()
            .filter(lease -> live.contains(lease.ownerBoot()) && !isMine(lease))
            .collect(Collectors.toUnmodifiableMap(Lease::partition, lease -> lease));
    Map<Partition, String> damaged = store.unreadableLeases();
    unreadable.retainAll(damaged.keySet());
    List<Future<Void>> claims = new ArrayList<>();
    Set<Partition> elsewhere = new HashSet<>();
    for (Partition partition : wanted) {
      if (owned.containsKey(partition)) {
        continue;
      }
      String why = damaged.get(partition);
      if (why != null) {
        if (unreadable.add(partition)) {
          listener.unreadable(partition, StoreException.corrupt(why));
        }
        continue;
      }
      Lease lease = leases.get(partition);
      if (lease == null || lease.isFree() || isMine(lease) || !live.contains(lease.ownerBoot())) {
        if (!denied.containsKey(partition)) {
          claims.add(claim(partition, Optional.ofNullable(lease)));
        }
      } else {
        denied.remove(partition);
        elsewhere.add(partition);
      }
    }
    listener.elsewhere(elsewhere);
    Future.join(claims)
        .onComplete(done -> onContext.accept(() -> ended(done.succeeded() ? null : done.cause())));
  }

  /** Whose it was, if that is gone; null if it gave it back, or it was this node. */
  private @Nullable String lost(Lease seen) {
    return seen.isFree() || isMine(seen) ? null : seen.owner();
  }

  /** A claim of ours whose reply was lost. */
  private boolean isMine(Lease lease) {
    return lease.owner().equals(node) && lease.ownerBoot().equals(bootId);
  }

  private Future<Void> claim(Partition partition, Optional<Lease> seen) {
    return store
        .claim(partition, seen)
        .<Void>map(
            lease -> {
              onContext.accept(
                  () -> {
                    if (closed) {
                      store.release(lease).onFailure(CallboardRuntime::reportedElsewhere);
                      return;
                    }
                    denied.remove(partition);
                    owned.put(partition, lease);
                    listener.gained(lease, seen.map(this::lost).orElse(null));
                  });
              return null;
            })
        .recover(
            cause -> {
              if (cause instanceof StoreException failure
                  && failure.kind() == StoreException.Kind.CONFLICT) {
                again = true;
                return Future.succeededFuture();
              }
              if (cause instanceof StoreException failure
                  && failure.kind() == StoreException.Kind.DENIED) {
                onContext.accept(() -> denied(partition, failure));
              }
              return Future.failedFuture(cause);
            });
  }

  private void ended(@Nullable Throwable cause) {
    sweeping = false;
    if (cause == null && again && !closed) {
      again = false;
      sweep().onFailure(CallboardRuntime::reportedElsewhere);
      return;
    }
    boolean asked = again;
    again = false;
    Promise<Void> done = swept;
    swept = Promise.promise();
    if (cause == null) {
      if (failures > 0) {
        log.info("the leases were looked at, after {} attempts that failed", failures);
      }
      failures = 0;
      told = false;
      done.complete();
    } else {
      if (!closed) {
        failed(cause, asked);
      }
      done.fail(cause);
    }
  }

  /**
   * @param asked whether somebody wanted another look meanwhile
   */
  private void failed(Throwable cause, boolean asked) {
    failures++;
    if (!told && !StoreException.isDenial(cause)) {
      told = true;
      log.warn("the leases could not all be looked at and claimed: {}", cause.toString());
    }
    if (!pausing && (asked || isLacking())) {
      pausing = true;
      later.accept(
          PAUSE.delay(failures, random),
          () -> {
            pausing = false;
            if (failures > 0) {
              sweep().onFailure(CallboardRuntime::reportedElsewhere);
            }
          });
    }
  }

  /** Whether a partition is wanted that is not owned, and not denied either. */
  private boolean isLacking() {
    return wanted.stream().anyMatch(p -> !owned.containsKey(p) && !denied.containsKey(p));
  }

  /** Gives every lease back. */
  Future<Void> close() {
    closed = true;
    List<Future<Void>> releases = new ArrayList<>();
    for (Lease lease : owned.values()) {
      releases.add(store.release(lease));
    }
    owned.clear();
    return Future.join(releases)
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.info("some leases were not given back; others claim them: {}", cause.toString());
              return null;
            });
  }
}
