package io.callboard.internal.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.DeadLetter;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.WaitingMessage;
import io.callboard.admin.ZoneStatus;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.internal.messaging.NodeRef;
import io.callboard.internal.parked.MailboxPeek;
import io.callboard.internal.parked.ParkedMessages;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.zone.Zones;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.Shareable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The front door: what programs and operators ask of a node, answered by its parts. */
final class CallboardImpl implements Callboard {
  private static final String KEY = "io.callboard";

  private final Place place;
  private final NodeAssembly runtime;
  private final NodeLifecycle life;
  private final ParkedMessages parked;
  private final Leases leases;
  private volatile boolean closed;

  /** The one place for a Callboard in a Vert.x; taken before anything is made for it. */
  private static final class Place implements Shareable {
    private volatile @Nullable CallboardImpl door;
  }

  private CallboardImpl(VertxInternal vertx, CallboardOptions options, Zones zones, Place place) {
    this.place = place;
    this.runtime = new NodeAssembly(vertx, options, zones, this);
    this.parked =
        new ParkedMessages(
            runtime.context(),
            runtime.store(),
            runtime.committing(),
            runtime.tellLanes(),
            runtime.largeBodies(),
            runtime.durables(),
            "replay:" + runtime.context().label());
    this.leases =
        new NodeLeases(
            runtime.context(),
            runtime.store(),
            runtime.ownerships(),
            runtime.durables(),
            runtime.offers(),
            runtime.news());
    this.life = new NodeLifecycle(runtime);
  }

  /** See {@link Callboard#create}. */
  static Future<Callboard> create(Vertx vertx, CallboardOptions options) {
    if (vertx == null || options == null) {
      return Future.failedFuture(
          new NullPointerException(
              vertx == null
                  ? "vertx is null: give the Vert.x that is to run actors"
                  : "options is null: give new CallboardOptions() for the defaults"));
    }
    Place place = new Place();
    if (places(vertx).putIfAbsent(KEY, place) != null) {
      return Future.failedFuture(new IllegalStateException("this Vert.x runs a Callboard already"));
    }
    CallboardImpl door;
    try {
      door = made((VertxInternal) vertx, new CallboardOptions(options), place);
    } catch (RuntimeException | Error e) {
      places(vertx).remove(KEY, place);
      return Future.failedFuture(e);
    }
    place.door = door;
    Promise<Callboard> created = door.runtime.context().promises().here();
    door.life
        .open()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                created.complete(door);
              } else {
                door.close().onComplete(closed -> created.fail(done.cause()));
              }
            });
    return created.future();
  }

  private static CallboardImpl made(VertxInternal vertx, CallboardOptions options, Place place) {
    Zones zones = new Zones(vertx, options.zones(), options.name());
    try {
      return new CallboardImpl(vertx, options, zones, place);
    } catch (RuntimeException | Error e) {
      zones.close();
      throw e;
    }
  }

  private static Map<String, Place> places(Vertx vertx) {
    return vertx.sharedData().getLocalMap(KEY);
  }

  /** See {@link Callboard#find}. */
  static Optional<Callboard> find(Vertx vertx) {
    return Optional.ofNullable(places(vertx).get(KEY)).map(place -> place.door);
  }

  // Actors.

  @Override
  public <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions given) {
    return runtime.actors().spawn(path, factory, given);
  }

  @Override
  public <M> Future<Void> host(
      String prefix, Supplier<? extends Actor<M>> factory, ActorOptions given) {
    return runtime.actors().host(prefix, factory, given);
  }

  @Override
  public <T> Broadcast<T> broadcast(String name, Class<T> protocol) {
    return runtime.broadcasts().channel(name, protocol);
  }

  @Override
  public Future<Void> supervise(String path, FailureZone zone, SupervisionOptions options) {
    if (path == null || zone == null || options == null) {
      String what = path == null ? "path" : zone == null ? "zone" : "options";
      return Future.failedFuture(
          new NullPointerException(
              what + " is null: supervise takes a path, a FailureZone and SupervisionOptions"));
    }
    return runtime.failureZones().supervise(path, zone, options);
  }

  @Override
  public Future<Void> stop(String path) {
    return at(path, this::stop);
  }

  private Future<Void> stop(ActorPath path) {
    FailureZoneRunner zone = runtime.failureZones().find(path);
    return zone == null ? runtime.actors().stop(path) : here(zone.done());
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

  @Override
  public Future<Void> park(String path) {
    return ask(path, FailureZones.Wish.PARK);
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

  private Future<Void> treat(ActorPath path, SupervisionOptions options) {
    FailureZoneRunner zone = runtime.failureZones().find(path);
    if (zone == null) {
      return runtime.actors().treat(path, options);
    }
    zone.supervision(options);
    return Future.succeededFuture();
  }

  @Override
  public List<FailureZoneStatus> failureZones() {
    return runtime.failureZones().status();
  }

  @Override
  public Future<Void> closed() {
    return CloseLimit.told(runtime.end().future());
  }

  private static <T> Future<T> at(String path, Function<ActorPath, Future<T>> call) {
    ActorPath actor;
    try {
      actor = ActorPath.of(path);
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return call.apply(actor);
  }

  @Override
  public <M> ActorRef<M> ref(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new NodeRef<>(runtime.courier(), ActorPath.of(path), false, protocol);
  }

  @Override
  public <M> ActorRef<M> durableRef(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new NodeRef<>(runtime.courier(), ActorPath.of(path), true, protocol);
  }

  @Override
  public <M> ActorGroup<M> group(String name, Class<M> protocol) {
    requireProtocol(protocol);
    return runtime.groups().group(name, protocol);
  }

  private static void requireProtocol(@Nullable Class<?> protocol) {
    Objects.requireNonNull(
        protocol, "protocol is null: give the root of the messages, such as Object.class");
  }

  // Looking.

  @Override
  public String node() {
    return runtime.context().node();
  }

  @Override
  public String bootId() {
    return runtime.context().bootId();
  }

  @Override
  public Vertx vertx() {
    return runtime.context().vertx();
  }

  @Override
  public Time time() {
    return runtime.context().time();
  }

  @Override
  public RandomGenerator random() {
    return runtime.context().newRandom();
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

  private static void pass(StoredActors some, Consumer<StoredActors> page, Promise<Void> passed) {
    try {
      page.accept(some);
    } catch (RuntimeException | Error e) {
      passed.fail(e);
      return;
    }
    passed.complete();
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

  private static ParkedKey key(String actor, String id) {
    return new ParkedKey(ActorPath.of(actor), id);
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
  public Future<List<Member>> members() {
    return here(runtime.store().members());
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = runtime.context().promises().here();
    future.onComplete(promise);
    return promise.future();
  }

  @Override
  public Future<Void> publish(String key, String value) {
    try {
      MemberFacts.check(key, value);
    } catch (IllegalArgumentException | CallboardException e) {
      return Future.failedFuture(e);
    }
    return runtime
        .context()
        .fromDurableContext(
            runtime.context().promises().here(), () -> runtime.facts().publish(key, value));
  }

  @Override
  public List<ZoneStatus> zones() {
    return runtime.zoneRegistry().status();
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
  public Future<Boolean> isHosted(String path) {
    return at(
        path,
        actor ->
            runtime
                .context()
                .fromDurableContext(
                    runtime.context().promises().here(), () -> runtime.unhosted().isHosted(actor)));
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

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Signals signals() {
    return runtime.router().signals();
  }

  @Override
  public void listen(CellListener listener) {
    Objects.requireNonNull(listener, "listener is null: give one");
    CellEvents news = runtime.news();
    news.listen(listener);
    runtime.context().onDurableContext(() -> news.tellWhatHolds(listener));
  }

  private void hasClosed() {
    closed = true;
    places(runtime.context().vertx()).remove(KEY, place);
    Throwable escalation = runtime.escalation();
    var unused =
        escalation == null ? runtime.end().tryComplete() : runtime.end().tryFail(escalation);
  }

  @Override
  public Future<Void> close() {
    if (closed) {
      return Future.succeededFuture();
    }
    return new CloseLimit(runtime.context(), runtime.zoneRegistry(), runtime.store(), runtime.end())
        .of(
            () -> {
              parked.close();
              return life.close().onComplete(done -> hasClosed());
            });
  }
}
