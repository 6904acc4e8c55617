package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Blobs;
import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardOptions;
import io.callboard.admin.CallboardAdmin;
import io.callboard.cell.CellListener;
import io.callboard.cell.Leases;
import io.callboard.cell.Signals;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.UnhostedMail;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.CellBroadcasts;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.membership.Groups;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.zone.Zones;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.OpenTasks;
import io.callboard.time.Time;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
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
  private final NodeContext node;
  private final Store store;
  private final LocalActors actors;
  private final FailureZones failureZones;
  private final MessageSender sender;
  private final Blobs blobs;
  private final Groups groups;
  private final CellBroadcasts broadcasts;
  private final Signals signals;
  private final MemberFacts facts;
  private final UnhostedMail unhosted;
  private final CellEvents cellEvents;
  private final NodeLeases leases;
  private final NodeAdmin admin;
  private final NodeLifecycle life;
  private final NodeEnd end;
  private final CloseLimit closeLimit;
  private final OpenTasks tasks;
  private final Promise<Callboard> created = Promise.promise();
  private final Closeable withVertx = this::closeWithVertx;
  private volatile boolean closed;

  /** Reservation of the one Callboard of a Vert.x instance, made before anything else of it. */
  private static final class Place implements Shareable {
    private volatile @Nullable CallboardImpl callboard;
  }

  private CallboardImpl(VertxInternal vertx, CallboardOptions options, Zones zones, Place place) {
    this.place = place;
    NodeAssembly parts = new NodeAssembly(vertx, options, zones, this);
    this.node = parts.context();
    this.tasks = new OpenTasks(vertx, node::newRandom);
    this.store = parts.store();
    this.actors = parts.actors();
    this.failureZones = parts.failureZones();
    this.sender = parts.messageSender();
    this.blobs = parts.keptBlobs();
    this.groups = parts.groups();
    this.broadcasts = parts.broadcasts();
    this.signals = parts.router().signals();
    this.facts = parts.facts();
    this.unhosted = parts.unhosted();
    this.cellEvents = parts.cellEvents();
    this.leases = parts.leases();
    this.admin = parts.admin(() -> closed);
    this.life = parts.lifecycle();
    this.end = parts.end();
    this.closeLimit = new CloseLimit(node, zones, store, end);
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
    return CloseLimit.told(callboard.start());
  }

  private Future<Callboard> start() {
    life.open()
        .onSuccess(v -> created.tryComplete(this))
        .onFailure(cause -> close().onComplete(closed -> created.tryFail(cause)));
    if (!node.vertx().closeFuture().add(withVertx)) {
      withVertx.close(Promise.promise());
    } else if (closed) {
      node.vertx().closeFuture().remove(withVertx);
    }
    return created.future();
  }

  /**
   * Closes the node when its Vert.x closes, or ends its start. This comes before Vert.x undeploys
   * anything: a verticle that fails to stop, or is undeployed twice at a time, leaves all above it
   * deployed, and no deployment of a start completes any more.
   */
  private void closeWithVertx(Completable<Void> done) {
    CallboardException gone =
        new CallboardException(
            CallboardException.Code.STOPPED,
            "Vert.x closed before node %s had started".formatted(node()));
    if (created.tryFail(gone)) {
      store.close().onFailure(NodeContext::reportedElsewhere);
      end.notClosed(gone);
      done.succeed();
    } else {
      close().onComplete(done);
    }
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
    return actors.spawn(path, factory, given);
  }

  @Override
  public <M> Future<Void> host(
      String prefix, Supplier<? extends Actor<M>> factory, ActorOptions given) {
    return actors.host(prefix, factory, given);
  }

  @Override
  public <T> Broadcast<T> broadcast(String name, Class<T> protocol) {
    return broadcasts.channel(name, protocol);
  }

  @Override
  public Future<Void> supervise(String path, FailureZone zone, SupervisionOptions options) {
    if (path == null || zone == null || options == null) {
      String what = path == null ? "path" : zone == null ? "zone" : "options";
      return Future.failedFuture(
          new NullPointerException(
              what + " is null: supervise takes a path, a FailureZone and SupervisionOptions"));
    }
    return failureZones.supervise(path, zone, options);
  }

  @Override
  public Future<Void> stop(String path) {
    return NodeAdmin.checked(() -> ActorPath.of(path), this::stop);
  }

  private Future<Void> stop(ActorPath path) {
    FailureZoneRunner zone = failureZones.find(path);
    return zone == null ? actors.stop(path) : here(zone.done());
  }

  @Override
  public Future<Void> closed() {
    return CloseLimit.told(end.future());
  }

  @Override
  public <M> ActorRef<M> ref(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new ActorRefImpl<>(sender, ActorPath.of(path), false, protocol);
  }

  @Override
  public <M> ActorRef<M> durableRef(String path, Class<M> protocol) {
    requireProtocol(protocol);
    return new ActorRefImpl<>(sender, ActorPath.of(path), true, protocol);
  }

  @Override
  public <M> ActorGroup<M> group(String name, Class<M> protocol) {
    requireProtocol(protocol);
    return groups.group(name, protocol);
  }

  private static void requireProtocol(@Nullable Class<?> protocol) {
    Objects.requireNonNull(
        protocol, "protocol is null: give the root of the messages, such as Object.class");
  }

  // Looking.

  @Override
  public String node() {
    return node.node();
  }

  @Override
  public String bootId() {
    return node.bootId();
  }

  @Override
  public Vertx vertx() {
    return node.vertx();
  }

  @Override
  public Time time() {
    return node.time();
  }

  @Override
  public BackgroundTasks tasks(String of, Time time) {
    return tasks.by(of, time);
  }

  @Override
  public RandomGenerator random() {
    return node.newRandom();
  }

  @Override
  public Future<List<Member>> members() {
    return here(store.members());
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = node.promises().here();
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
    return node.fromDurableContext(node.promises().here(), () -> facts.publish(key, value));
  }

  @Override
  public Future<Boolean> isHosted(String path) {
    return NodeAdmin.checked(
        () -> ActorPath.of(path),
        actor -> node.fromDurableContext(node.promises().here(), () -> unhosted.isHosted(actor)));
  }

  @Override
  public CallboardAdmin admin() {
    return admin;
  }

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Signals signals() {
    return signals;
  }

  @Override
  public void listen(CellListener listener) {
    Objects.requireNonNull(listener, "listener is null: give one");
    cellEvents.listen(listener);
    node.onDurableContext(() -> cellEvents.tellWhatHolds(listener));
  }

  private void hasClosed() {
    closed = true;
    tasks.close();
    node.vertx().closeFuture().remove(withVertx);
    places(node.vertx()).remove(KEY, place);
    end.closed();
  }

  @Override
  public Future<Void> close() {
    if (closed) {
      return Future.succeededFuture();
    }
    return closeLimit.of(
        () -> {
          admin.close();
          return life.close().onComplete(done -> hasClosed());
        });
  }
}
