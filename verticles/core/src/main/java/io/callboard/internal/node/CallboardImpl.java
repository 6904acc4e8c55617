package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.admin.CallboardAdmin;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.zone.Zones;
import io.callboard.store.Member;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.Shareable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Implementation of the API of a node by its parts. Safe for use by many threads. */
final class CallboardImpl implements Callboard {
  private static final String KEY = "io.callboard";

  private final Place place;
  private final NodeAssembly runtime;
  private final NodeLifecycle life;
  private final NodeAdmin admin;
  private final Leases leases;
  private volatile boolean closed;

  /** Reservation of the one Callboard of a Vert.x instance, made before anything else of it. */
  private static final class Place implements Shareable {
    private volatile @Nullable CallboardImpl callboard;
  }

  private CallboardImpl(VertxInternal vertx, CallboardOptions options, Zones zones, Place place) {
    this.place = place;
    this.runtime = new NodeAssembly(vertx, options, zones, this);
    this.admin = new NodeAdmin(runtime, () -> closed);
    this.leases =
        new NodeLeases(
            runtime.context(),
            runtime.store(),
            runtime.ownerships(),
            runtime.durables(),
            runtime.offers(),
            runtime.cellEvents());
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
      return Future.failedFuture(
          new IllegalStateException("this Vert.x instance runs a Callboard already"));
    }
    CallboardImpl callboard;
    try {
      callboard = made((VertxInternal) vertx, new CallboardOptions(options), place);
    } catch (RuntimeException | Error e) {
      places(vertx).remove(KEY, place);
      return Future.failedFuture(e);
    }
    place.callboard = callboard;
    Promise<Callboard> created = callboard.runtime.context().promises().here();
    callboard
        .life
        .open()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                created.complete(callboard);
              } else {
                callboard.close().onComplete(closed -> created.fail(done.cause()));
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
    return Optional.ofNullable(places(vertx).get(KEY)).map(place -> place.callboard);
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
    return NodeAdmin.checked(() -> ActorPath.of(path), this::stop);
  }

  private Future<Void> stop(ActorPath path) {
    FailureZoneRunner zone = runtime.failureZones().find(path);
    return zone == null ? runtime.actors().stop(path) : here(zone.done());
  }

  @Override
  public Future<Void> closed() {
    return CloseLimit.told(runtime.end().future());
  }

  @Override
  public <M> ActorRef<M> ref(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new ActorRefImpl<>(runtime.messageSender(), ActorPath.of(path), false, protocol);
  }

  @Override
  public <M> ActorRef<M> durableRef(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new ActorRefImpl<>(runtime.messageSender(), ActorPath.of(path), true, protocol);
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
  public Future<Boolean> isHosted(String path) {
    return NodeAdmin.checked(
        () -> ActorPath.of(path),
        actor ->
            runtime
                .context()
                .fromDurableContext(
                    runtime.context().promises().here(), () -> runtime.unhosted().isHosted(actor)));
  }

  @Override
  public CallboardAdmin admin() {
    return admin;
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
    CellEvents news = runtime.cellEvents();
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
    return new CloseLimit(runtime.context(), runtime.zones(), runtime.store(), runtime.end())
        .of(
            () -> {
              admin.close();
              return life.close().onComplete(done -> hasClosed());
            });
  }
}
