package io.callboard.internal.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.DeadLetter;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.WaitingMessage;
import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.parked.MailboxPeek;
import io.callboard.internal.parked.ParkedMessages;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Operator interface of a node, answered by its parts. Safe for use by many threads. */
final class NodeAdmin implements CallboardAdmin {
  private final NodeAssembly runtime;
  private final ParkedMessages parked;

  NodeAdmin(NodeAssembly runtime) {
    this.runtime = runtime;
    this.parked =
        new ParkedMessages(
            runtime.context(),
            runtime.store(),
            runtime.committing(),
            runtime.tellSequencer(),
            runtime.blobTransfers(),
            runtime.durables(),
            "replay:" + runtime.context().label());
  }

  /** Ends the replays that are under way. */
  void close() {
    parked.close();
  }

  @Override
  public Future<Void> resume(String path) {
    return ask(path, FailureZones.Wish.RESUME);
  }

  @Override
  public Future<Void> restart(String path) {
    return ask(path, FailureZones.Wish.RESTART);
  }

  @Override
  public Future<Void> refold(String path, String why) {
    return redo(path, () -> new Redo(null, why));
  }

  @Override
  public Future<Void> restore(String path, long event, String why) {
    return redo(path, () -> new Redo(event, why));
  }

  @Override
  public Future<Void> park(String path) {
    return ask(path, FailureZones.Wish.PARK);
  }

  @Override
  public Future<Void> changePolicy(String path, FailureZone policy) {
    if (policy == null) {
      return Future.failedFuture(
          new NullPointerException("the policy of zone " + path + " is null: give a FailureZone"));
    }
    return at(path, where -> runtime.failureZones().changePolicy(where, policy));
  }

  @Override
  public Future<Void> changeSupervision(String path, SupervisionOptions options) {
    if (options == null) {
      return Future.failedFuture(
          new NullPointerException(
              "the options of %s are null: give SupervisionOptions".formatted(path)));
    }
    return at(path, where -> treat(where, options));
  }

  @Override
  public List<FailureZoneStatus> failureZones() {
    return runtime.failureZones().status();
  }

  @Override
  public Future<List<ActorStatus>> running() {
    return Future.succeededFuture(runtime.actors().status());
  }

  @Override
  public Future<List<Failure>> failures(String path) {
    ActorPath actor;
    try {
      actor = ActorPath.of(path);
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    FailureZoneRunner zone = runtime.failureZones().find(actor);
    return zone == null
        ? runtime.actors().failures(actor)
        : Future.succeededFuture(zone.failures());
  }

  @Override
  public Future<StoredActors> stored(ActorPath prefix, int limit, Optional<ActorPath> after) {
    return here(runtime.store().actors(prefix, limit, after));
  }

  @Override
  public Future<Void> stored(ActorPath prefix, Consumer<StoredActors> page) {
    Context caller = runtime.context().vertx().getOrCreateContext();
    return here(
        runtime
            .store()
            .eachActor(
                prefix,
                some -> {
                  Promise<Void> passed = Promise.promise();
                  caller.runOnContext(v -> pass(some, page, passed));
                  return passed.future();
                }));
  }

  @Override
  public Future<Optional<StoredActor>> stored(String path) {
    return here(runtime.store().actor(ActorPath.of(path)));
  }

  @Override
  public Future<Optional<String>> owner(String path) {
    Partition partition;
    try {
      partition = runtime.ownership().partition(ActorPath.of(path));
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return here(runtime.store().leases())
        .map(
            leases ->
                Optional.ofNullable(leases.get(partition))
                    .filter(lease -> !lease.isFree())
                    .map(Lease::owner));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return here(runtime.store().parked(limit));
  }

  @Override
  public Future<Optional<StoredParked>> parked(String actor, String id) {
    return here(runtime.store().parked(key(actor, id)));
  }

  @Override
  public Future<Void> replay(String actor, String id) {
    return here(parked.replay(key(actor, id)));
  }

  @Override
  public Future<StoredParked> replay(String actor, String id, JsonNode body) {
    return here(parked.replayEdited(key(actor, id), body));
  }

  @Override
  public Future<BulkReplay> replay(ParkedFilter filter, double ratePerSecond) {
    return here(parked.replayAll(filter, ratePerSecond));
  }

  @Override
  public Future<Void> discard(String actor, String id) {
    return here(parked.discard(key(actor, id)));
  }

  @Override
  public Future<List<WaitingMessage>> waiting(String path, int limit) {
    return here(MailboxPeek.of(runtime.store(), ActorPath.of(path), limit));
  }

  @Override
  public List<ZoneStatus> zones() {
    return runtime.zones().status();
  }

  @Override
  public NodeCounts counts() {
    return runtime.context().counters().snapshot(runtime.commits().snapshot().latency().count());
  }

  @Override
  public NodeMetrics metrics() {
    CommitCounts counted = runtime.commits().snapshot();
    return new NodeMetrics(
        runtime.context().counters().snapshot(counted.latency().count()),
        counted,
        runtime.router().counts(),
        runtime.blobs().snapshot(),
        runtime.durables().partitions().counts(),
        runtime.asks().waiting());
  }

  @Override
  public Optional<String> denied() {
    return runtime.denials().standing();
  }

  @Override
  public Map<Partition, String> unreadableLeases() {
    return runtime.store().unreadableLeases();
  }

  @Override
  public Runnable onDeadLetter(Consumer<DeadLetter> listener) {
    Objects.requireNonNull(listener, "listener is null: give one");
    return runtime.deadLetters().listen(listener);
  }

  private Future<Void> redo(String path, Supplier<Redo> wish) {
    return at(
        path,
        where -> {
          Redo redo;
          try {
            redo = wish.get();
          } catch (NullPointerException | IllegalArgumentException e) {
            return Future.failedFuture(e);
          }
          return here(runtime.durables().redo(where, redo));
        });
  }

  private Future<Void> ask(String path, FailureZones.Wish wish) {
    return at(
        path,
        where ->
            runtime
                .failureZones()
                .ask(where, wish)
                .orElseGet(() -> runtime.actors().ask(where, wish)));
  }

  private Future<Void> treat(ActorPath path, SupervisionOptions options) {
    FailureZoneRunner zone = runtime.failureZones().find(path);
    if (zone == null) {
      return runtime.actors().treat(path, options);
    }
    zone.supervision(options);
    return Future.succeededFuture();
  }

  private static void pass(StoredActors some, Consumer<StoredActors> page, Promise<Void> passed) {
    try {
      page.accept(some);
    } catch (RuntimeException | Error e) {
      passed.fail(e);
      return;
    }
    passed.complete();
  }

  private static ParkedKey key(String actor, String id) {
    return new ParkedKey(ActorPath.of(actor), id);
  }

  /** The result of {@code call} for the actor of that path; fails if the path is invalid. */
  static <T> Future<T> at(String path, Function<ActorPath, Future<T>> call) {
    ActorPath actor;
    try {
      actor = ActorPath.of(path);
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return call.apply(actor);
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = runtime.context().promises().here();
    future.onComplete(promise);
    return promise.future();
  }
}
