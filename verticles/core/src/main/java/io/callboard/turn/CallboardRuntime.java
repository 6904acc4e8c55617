package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.ActorStatus;
import io.callboard.BulkReplay;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.CellListener;
import io.callboard.NodeCounts;
import io.callboard.NodeMetrics;
import io.callboard.ParkedFilter;
import io.callboard.WaitingMessage;
import io.callboard.ZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.link.LinkLimits;
import io.callboard.link.Router;
import io.callboard.metrics.CommitCounts;
import io.callboard.metrics.CommitMeter;
import io.callboard.outbox.Committer;
import io.callboard.outbox.GroupCommit;
import io.callboard.outbox.Ready;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.ParkedKey;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredParked;
import io.callboard.supervision.SupervisorVerticle;
import io.callboard.zone.Zones;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.Shareable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The front door's implementation: puts the parts of a node together. */
public final class CallboardRuntime implements Callboard, Shareable {
  private static final Logger log = LoggerFactory.getLogger(CallboardRuntime.class);
  private static final String KEY = "io.callboard";
  private static final Duration PASSIVATION_TICK = Duration.ofSeconds(5);
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final VertxInternal vertx;
  private final CallboardOptions options;
  private final Clock clock = Clock.systemUTC();
  private final RandomGenerator random = new SplittableRandom(new SecureRandom().nextLong());
  private final String bootId = UUID.randomUUID().toString();
  private final ContextInternal durableContext;
  private final Counters counters = new Counters();
  private final CommitMeter commits = new CommitMeter(System::nanoTime);
  private final Denials denials = new Denials();
  private final Zones zones;
  private final Asks asks;
  private final Elsewhere elsewhere;
  private final Router router;
  private final BusGate bus;
  private final Store store;
  private final DurableActors durables;
  private final SupervisorVerticle supervisor;
  private final LocalActors actors;
  private final Map<String, String> facts = new HashMap<>();
  private final Courier courier;
  private final ParkedMessages parked;
  private final List<Long> timers = new ArrayList<>();
  private @Nullable Committer committer;
  private @Nullable Ownership ownership;
  private @Nullable Promise<Void> closing;

  private CallboardRuntime(VertxInternal vertx, CallboardOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.durableContext = vertx.createEventLoopContext();
    this.zones = new Zones(vertx, options.zones(), options.name());
    this.elsewhere = new Elsewhere(this);
    this.router = new Router(vertx, bootId, options.name(), elsewhere, LinkLimits.DEFAULT);
    this.bus = new BusGate(vertx, router.context(), router.locator());
    this.asks = new Asks(vertx, bootId, elsewhere::replyTo, options.pendingAsks());
    this.store = options.store().get();
    this.durables = new DurableActors(this, store);
    this.supervisor = new SupervisorVerticle(System::nanoTime, random);
    this.actors = new LocalActors(this, durables, bus);
    String here = options.name() + ":" + bootId.substring(0, 8);
    this.courier = new Courier(this, elsewhere, actors, "edge:" + here);
    this.parked = new ParkedMessages(this, "replay:" + here);
  }

  /** See {@link Callboard#create}. */
  public static Future<Callboard> create(Vertx vertx, CallboardOptions options) {
    CallboardRuntime runtime =
        new CallboardRuntime((VertxInternal) vertx, new CallboardOptions(options));
    if (runtimes(vertx).putIfAbsent(KEY, runtime) != null) {
      runtime.zones.close();
      return Future.failedFuture(new IllegalStateException("this Vert.x runs a Callboard already"));
    }
    Promise<Callboard> created = Promises.here();
    runtime
        .open()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                created.complete(runtime);
              } else {
                runtime.close().onComplete(closed -> created.fail(done.cause()));
              }
            });
    return created.future();
  }

  private static Map<String, CallboardRuntime> runtimes(Vertx vertx) {
    return vertx.sharedData().getLocalMap(KEY);
  }

  /** See {@link Callboard#find}. */
  public static Optional<Callboard> find(Vertx vertx) {
    return Optional.ofNullable(runtimes(vertx).get(KEY));
  }

  private Future<Void> open() {
    store.listen(durables);
    durables.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            tellRouterWhoLives();
          }
        });
    String home = options.homeId().isEmpty() ? bootId : options.homeId();
    return vertx
        .deployVerticle(supervisor, zones.deployment(Zones.SUPERVISION))
        .compose(id -> router.start())
        .compose(v -> store.open(new NodeIdentity(options.name(), bootId, home)))
        .compose(this::ready);
  }

  /** So that it does not wait for nodes that are gone. */
  private void tellRouterWhoLives() {
    store
        .members()
        .onFailure(CallboardRuntime::reportedElsewhere)
        .onSuccess(
            members ->
                router.members(
                    members.stream().map(Member::bootId).collect(Collectors.toUnmodifiableSet())));
  }

  private Future<Void> ready(Session session) {
    Promise<Void> done = Promise.promise();
    durableContext.runOnContext(
        v -> {
          committer =
              new Committer(
                  store,
                  durableContext,
                  session,
                  options.commitWindow(),
                  random,
                  commits,
                  listener());
          Ownership claims =
              new Ownership(
                  store,
                  options.name(),
                  bootId,
                  session.partitions(),
                  this::onDurableContext,
                  durables);
          ownership = claims;
          durables.start(claims);
          timers.add(
              vertx.setPeriodic(
                  PASSIVATION_TICK.toMillis(), id -> onDurableContext(durables::passivate)));
          scheduleSweep();
          tellRouterWhoLives();
          done.complete();
        });
    return done.future();
  }

  private Committer.Listener listener() {
    return new Committer.Listener() {
      @Override
      public void heldBack(String detail) {
        log.warn("a commit waits because a mailbox is full: {}", detail);
      }

      @Override
      public void delivered(GroupCommit.Delivered mail) {
        durables.delivered(mail);
      }

      @Override
      public void look(ActorPath mailbox) {
        durables.mailFor(mailbox);
      }

      @Override
      public void ended(Throwable cause) {
        denials.note("the session of node " + options.name(), cause);
      }
    };
  }

  /** Sweeps at irregular intervals, so that nodes do not do it together. */
  private void scheduleSweep() {
    long period = options.sweepEvery().toMillis();
    long delay = Math.max(1, period * 3 / 4 + random.nextLong(period / 2 + 1));
    timers.add(
        vertx.setTimer(
            delay,
            id ->
                onDurableContext(
                    () -> {
                      timers.remove(id);
                      if (closing == null) {
                        ownership()
                            .sweep()
                            .onFailure(CallboardRuntime::reportedElsewhere)
                            .onSuccess(v -> durables.sweepMail());
                        scheduleSweep();
                      }
                    })));
  }

  // What the parts of a node need of each other.

  void onDurableContext(Runnable task) {
    durableContext.runOnContext(v -> task.run());
  }

  /** Runs {@code task} soon, after what the calling thread has queued. */
  void later(Runnable task) {
    onDurableContext(task);
  }

  Clock clock() {
    return clock;
  }

  long nanoTime() {
    return System.nanoTime();
  }

  Counters counters() {
    return counters;
  }

  Denials denials() {
    return denials;
  }

  Zones zoneRegistry() {
    return zones;
  }

  Store store() {
    return store;
  }

  Asks asks() {
    return asks;
  }

  Router router() {
    return router;
  }

  BusGate bus() {
    return bus;
  }

  SupervisorVerticle supervisor() {
    return supervisor;
  }

  Ownership ownership() {
    return started(ownership);
  }

  Duration askTimeout() {
    return options.askTimeout();
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the node has not been started");
    }
    return part;
  }

  /** On the durable context. */
  void submit(Ready ready) {
    started(committer).submit(ready);
  }

  /** On the durable context: whether a commit under way will tell of mail for that actor. */
  boolean isSendingTo(ActorPath receiver) {
    return committer != null && committer.isSendingTo(receiver);
  }

  void deadLetter(ActorPath receiver, Object message, Throwable cause) {
    counters.dead.increment();
    log.warn(
        "dead letter: {} for {}: {}",
        message.getClass().getSimpleName(),
        receiver,
        cause.getMessage());
  }

  static CallboardException handlerFailed(ActorPath actor, Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE
        ? ours
        : new CallboardException(
            Code.HANDLER_FAILED, "%s failed: %s".formatted(actor, cause), cause);
  }

  /** For the failure of a future whose cause reaches its owner another way. */
  static void reportedElsewhere(Throwable cause) {
    log.debug("reported to its owner", cause);
  }

  Courier courier() {
    return courier;
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
  public Future<Void> stop(String path) {
    return actors.stop(ActorPath.of(path));
  }

  @Override
  public Future<Void> resume(String path) {
    return actors.resume(ActorPath.of(path));
  }

  @Override
  public <M> ActorRef<M> ref(String path, Class<M> protocol) {
    return new Ref<>(this, ActorPath.of(path), false, protocol);
  }

  @Override
  public <M> ActorRef<M> durableRef(String path, Class<M> protocol) {
    return new Ref<>(this, ActorPath.of(path), true, protocol);
  }

  // Looking.

  @Override
  public String node() {
    return options.name();
  }

  @Override
  public String bootId() {
    return bootId;
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public Future<List<ActorStatus>> running() {
    return Future.succeededFuture(actors.status());
  }

  @Override
  public Future<List<StoredActor>> stored(ActorPath prefix) {
    return here(store.actors(prefix));
  }

  @Override
  public Future<Optional<StoredActor>> stored(String path) {
    return here(store.actor(ActorPath.of(path)));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return here(store.parked(limit));
  }

  @Override
  public Future<Optional<StoredParked>> parked(String actor, String id) {
    return here(store.parked(key(actor, id)));
  }

  private static ParkedKey key(String actor, String id) {
    return new ParkedKey(ActorPath.of(actor), id);
  }

  @Override
  public Future<Void> replay(String actor, String id) {
    return here(parked.replay(key(actor, id), null));
  }

  @Override
  public Future<Void> replay(String actor, String id, JsonNode body) {
    return here(parked.replay(key(actor, id), body));
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
    return here(MailboxPeek.of(store, ActorPath.of(path), limit));
  }

  @Override
  public Future<List<Member>> members() {
    return here(store.members());
  }

  private static <T> Future<T> here(Future<T> future) {
    Promise<T> promise = Promises.here();
    future.onComplete(promise);
    return promise.future();
  }

  @Override
  public Future<Void> publish(String key, String value) {
    Promise<Void> done = Promises.here();
    onDurableContext(
        () -> {
          facts.put(key, value);
          store.publish(Map.copyOf(facts)).onComplete(done);
        });
    return done.future();
  }

  @Override
  public List<ZoneStatus> zones() {
    return zones.status();
  }

  @Override
  public NodeCounts counts() {
    return counters.snapshot(commits.snapshot().latency().count());
  }

  @Override
  public NodeMetrics metrics() {
    CommitCounts counted = commits.snapshot();
    return new NodeMetrics(
        counters.snapshot(counted.latency().count()), counted, router.counts(), asks.waiting());
  }

  @Override
  public Optional<String> denied() {
    return denials.standing();
  }

  @Override
  public void listen(CellListener listener) {
    durables.listen(listener);
  }

  // Closing.

  @Override
  public Future<Void> close() {
    Promise<Void> done = Promises.here();
    onDurableContext(
        () -> {
          if (closing == null) {
            closing = Promise.promise();
            shutDown().onComplete(closing);
          }
          closing.future().onComplete(done);
        });
    return done.future();
  }

  private Future<Void> shutDown() {
    timers.forEach(vertx::cancelTimer);
    parked.close();
    return step("the event bus", bus.close())
        .compose(v -> step("the actors", actors.close()))
        .compose(v -> step("the commits under way", drain()))
        .compose(v -> ownership == null ? Future.succeededFuture() : ownership.close())
        .compose(v -> step("the links", router.close()))
        .compose(v -> step("the store", store.close()))
        .compose(
            v -> {
              asks.close();
              zones.close();
              runtimes(vertx).remove(KEY, this);
              return undeploySupervisor();
            });
  }

  private Future<Void> drain() {
    Committer current = committer;
    if (current == null) {
      return Future.succeededFuture();
    }
    return current
        .drain()
        .timeout(DRAIN.toMillis(), TimeUnit.MILLISECONDS)
        .eventually(
            () -> {
              onDurableContext(current::close);
              return Future.succeededFuture();
            });
  }

  private Future<Void> undeploySupervisor() {
    String id = supervisor.deploymentId();
    return id == null ? Future.succeededFuture() : step("the supervisor", vertx.undeploy(id));
  }

  private static Future<Void> step(String what, Future<Void> future) {
    return future.otherwise(
        cause -> {
          log.warn("{} did not close cleanly: {}", what, cause.toString());
          return null;
        });
  }
}
