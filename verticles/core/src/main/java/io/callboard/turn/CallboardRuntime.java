package io.callboard.turn;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.Time;
import io.callboard.codecs.ActorPath;
import io.callboard.link.LinkLimits;
import io.callboard.link.Router;
import io.callboard.metrics.BlobMeter;
import io.callboard.metrics.CommitMeter;
import io.callboard.outbox.Committer;
import io.callboard.outbox.Ready;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.Store;
import io.callboard.store.StoreLostException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.supervision.Failure;
import io.callboard.supervision.RootSupervisor;
import io.callboard.zone.Zones;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a node, put together: what each needs of the others. */
final class CallboardRuntime implements Appends.Node {
  private static final Logger log = LoggerFactory.getLogger(CallboardRuntime.class);
  private static final ExponentialBackoff ROOM_PAUSE =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1));

  private static final String NOT_OPEN =
      "this node is not open yet: wait for the future of Callboard.create";

  private final VertxInternal vertx;
  private final CallboardOptions options;
  private final Time time;
  private final SplittableRandom seeds;
  private final RandomGenerator random;
  private final String bootId = UUID.randomUUID().toString();
  private final ContextInternal durableContext;
  private final Promises promises;
  private final Counters counters = new Counters();
  private final CommitMeter commits;
  private final BlobMeter blobs = new BlobMeter();
  private final DeadLetters deadLetters;
  private final RefusedCalls refusedCalls = new RefusedCalls(this);
  private final Denials denials = new Denials();
  private final Waits waits = new Waits();
  private final Zones zones;
  private final TimeoutWheel limits;
  private final Asks asks;
  private final Elsewhere elsewhere;
  private final Router router;
  private final Pushes pushes;
  private final BusGate bus;
  private final Unhosted unhosted;
  private final Store store;
  private final DurableActors durables;
  private final RootSupervisor supervisor;
  private final FailureZones failureZones;
  private final Watches watches;
  private final LocalActors actors;
  private final Facts facts;
  private final Groups groups;
  private final LargeBodies largeBodies;
  private final Scales recoveries;
  private final TellLanes tellLanes;
  private final Courier courier;
  private final HistoryWriter histories = new HistoryWriter(this);
  private final Callboard frontDoor;
  private final Promise<Void> end = Promise.promise();
  private volatile @Nullable Throwable escalation;
  private volatile Phase phase = Phase.OPENING;
  private @Nullable Committer committer;
  private @Nullable Ownership ownership;

  private enum Phase {
    OPENING,
    OPEN,
    CLOSING
  }

  /**
   * @param zones closed by the caller if this fails
   */
  CallboardRuntime(
      VertxInternal vertx, CallboardOptions options, Zones zones, Callboard frontDoor) {
    this.frontDoor = frontDoor;
    this.vertx = vertx;
    this.options = options;
    this.time = options.time();
    this.seeds =
        new SplittableRandom(options.seed().orElseGet(() -> new SecureRandom().nextLong()));
    this.random = newRandom();
    this.commits = new CommitMeter(time::nanoTime);
    this.durableContext = vertx.createEventLoopContext();
    this.promises = new Promises(vertx);
    this.deadLetters = new DeadLetters(this, counters.dead, vertx.createEventLoopContext());
    this.zones = zones;
    this.limits =
        new TimeoutWheel(
            (millis, task) -> {
              Runnable unused = zones.later(Duration.ofMillis(millis), task);
            },
            Time.SYSTEM::nanoTime);
    this.elsewhere = new Elsewhere(this);
    this.router = new Router(vertx, bootId, options.name(), elsewhere, LinkLimits.DEFAULT);
    this.pushes = new Pushes(this);
    this.bus = new BusGate(vertx, router.context(), router.locator());
    this.asks =
        new Asks(
            new TimeoutWheel(this::afterMillis, time::nanoTime),
            promises,
            bootId,
            elsewhere::replyTo,
            address -> ActorReply.actor(this, address),
            this::whyNoAnswer,
            options.pendingAsks());
    this.store = options.store().get();
    this.durables = new DurableActors(this, store);
    this.unhosted = new Unhosted(this, store, durables::isHere);
    this.watches = new Watches(this);
    this.durables.news().listen(watches);
    this.facts = new Facts(store);
    this.groups = new Groups(this);
    this.durables.news().listen(groups);
    this.supervisor =
        new RootSupervisor(
            time == Time.SYSTEM ? zones.timers() : time, random.nextLong(), new RootOwner());
    this.failureZones = new FailureZones(this, supervisor);
    this.actors = new LocalActors(vertx, this, durables, bus);
    zones.listen(this::blocked);
    this.largeBodies = new LargeBodies(this, store.blobs());
    this.recoveries = new Scales(options.recoveries());
    this.tellLanes = new TellLanes(largeBodies);
    this.courier = new Courier(this, elsewhere, actors, "edge:" + label());
  }

  private void blocked(Object whose, String what, String stack) {
    if (whose instanceof ActorPath actor) {
      actors.blocked(actor, what, stack);
    }
  }

  /** What is known of an actor that has not answered in time; null if nothing is. Any thread. */
  private @Nullable String whyNoAnswer(ActorPath actor) {
    String down = actors().whyDown(actor);
    if (down != null) {
      return down;
    }
    return committer != null && unhosted.isKnown(actor) ? Unhosted.why(actor) : null;
  }

  /** The node and its start, for senders' names. */
  String label() {
    return options.name() + ":" + bootId.substring(0, 8);
  }

  /** The store is open. */
  void opened(Committer commits, Ownership claims) {
    committer = commits;
    ownership = claims;
    if (phase == Phase.OPENING) {
      phase = Phase.OPEN;
    }
  }

  /** No actor is started from now on. */
  void closing() {
    phase = Phase.CLOSING;
  }

  /** Why no actor can be started here now; empty if one can. Any thread. */
  Optional<CallboardException> hindrance() {
    return switch (phase) {
      case OPENING -> Optional.of(new CallboardException(Code.STOPPED, NOT_OPEN));
      case OPEN -> Optional.empty();
      case CLOSING -> Optional.of(CallboardException.stopped("this node"));
    };
  }

  Callboard frontDoor() {
    return frontDoor;
  }

  String node() {
    return options.name();
  }

  String bootId() {
    return bootId;
  }

  Vertx vertx() {
    return vertx;
  }

  CallboardOptions options() {
    return options;
  }

  /** For the durable context. */
  RandomGenerator random() {
    return random;
  }

  /** Independent of any other. Any thread. */
  RandomGenerator newRandom() {
    synchronized (seeds) {
      return seeds.split();
    }
  }

  RefusedCalls refusedCalls() {
    return refusedCalls;
  }

  Promises promises() {
    return promises;
  }

  ContextInternal durableContext() {
    return durableContext;
  }

  DurableActors durables() {
    return durables;
  }

  LocalActors actors() {
    return actors;
  }

  /** What {@code task} gives on a worker thread; completes there. Any thread. */
  <T> Future<T> onWorker(Callable<T> task) {
    Promise<T> promise = Promise.promise();
    try {
      vertx
          .workerPool()
          .executor()
          .execute(
              () -> {
                try {
                  promise.complete(task.call());
                } catch (Exception | Error e) {
                  promise.fail(e);
                }
              });
    } catch (RejectedExecutionException e) {
      promise.fail(CallboardException.stopped("this node"));
    }
    return promise.future();
  }

  /** Runs it there; what it throws is logged, for nobody else hears of it. Any thread. */
  void onDurableContext(Runnable task) {
    durableContext.runOnContext(v -> run(task));
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      unexpected(e);
    }
  }

  private void unexpected(Throwable cause) {
    log.error("unexpected failure on the durable context of node {}", node(), cause);
  }

  /** Runs a task that completes {@code done}, which fails with what the task throws. */
  void onDurableContext(Promise<?> done, Runnable task) {
    try {
      durableContext.runOnContext(
          v -> {
            try {
              task.run();
            } catch (RuntimeException | Error e) {
              unexpected(e);
              done.tryFail(e);
            }
          });
    } catch (RejectedExecutionException e) {
      log.debug("the Vert.x of node {} has closed", node(), e);
      done.tryFail(CallboardException.stopped("this node"));
    }
  }

  /**
   * What {@code task} gives when it runs there; fails with what it throws.
   *
   * @param done completes with that, where its future does
   */
  <T> Future<T> fromDurableContext(Promise<T> done, Supplier<Future<T>> task) {
    onDurableContext(done, () -> task.get().onComplete(done));
    return done.future();
  }

  Time time() {
    return time;
  }

  Clock clock() {
    return time.clock();
  }

  @Override
  public long pauseNanos(int failures) {
    return ROOM_PAUSE.delay(failures, random).toNanos();
  }

  @Override
  public void later(long nanos, Runnable task) {
    Time.Alarm unused = after(Duration.ofNanos(nanos), task);
  }

  /** Runs {@code task} then, on the durable context: it ends with no actor. */
  Time.Alarm after(Duration delay, Runnable task) {
    return time.after(durableContext, delay, () -> run(task));
  }

  /** Runs {@code task} after that time, in the supervision zone, unless it is reached before. */
  Limit limit(Duration time, Runnable task) {
    Limit limit = new Limit(limits, task);
    limits.add(limit, time.toNanos());
    return limit;
  }

  /** The node has closed: what is left behind of it is held by nothing here. */
  void forgetLimits() {
    limits.drain(limit -> {});
  }

  void afterMillis(long millis, Runnable task) {
    Time.Alarm unused = after(Duration.ofMillis(millis), task);
  }

  @Override
  public void sent() {
    counters.sent.increment();
  }

  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  Counters counters() {
    return counters;
  }

  Denials denials() {
    return denials;
  }

  Waits waits() {
    return waits;
  }

  Zones zoneRegistry() {
    return zones;
  }

  Store store() {
    return store;
  }

  Unhosted unhosted() {
    return unhosted;
  }

  Asks asks() {
    return asks;
  }

  Elsewhere elsewhere() {
    return elsewhere;
  }

  Watches watches() {
    return watches;
  }

  Facts facts() {
    return facts;
  }

  Groups groups() {
    return groups;
  }

  Router router() {
    return router;
  }

  Pushes pushes() {
    return pushes;
  }

  BusGate bus() {
    return bus;
  }

  RootSupervisor supervisor() {
    return supervisor;
  }

  FailureZones failureZones() {
    return failureZones;
  }

  /** Completes when this node has closed; fails with what closed it, if nobody asked for that. */
  Promise<Void> end() {
    return end;
  }

  @Nullable Throwable escalation() {
    return escalation;
  }

  /**
   * The store serves this node no more: it gives its session up at once, so that others own what it
   * owned, and closes. On the durable context.
   */
  void lost(Throwable cause) {
    if (escalation != null || phase == Phase.CLOSING) {
      return;
    }
    StoreLostException lost = new StoreLostException(node(), cause);
    log.error("node {} closes: {}", node(), lost.getMessage(), cause);
    denials.note("the session of node " + node(), cause);
    escalation = lost;
    if (ownership != null) {
      durables.wake().roles().inTouch(false, ownership);
    }
    durables.news().sessionLost(); // what others may do from now on is stopped first
    store.close().onFailure(CallboardRuntime::reportedElsewhere);
    frontDoor.close().onFailure(CallboardRuntime::reportedElsewhere);
  }

  /** Whether the store serves this node no more. */
  boolean isLost() {
    return escalation instanceof StoreLostException;
  }

  private final class RootOwner implements RootSupervisor.Owner {
    /** What nobody could mend ends the application of this node. Any thread. */
    @Override
    public void escalated(Throwable cause) {
      log.error("node {} closes: {}", node(), cause.getMessage(), cause);
      escalation = cause;
      frontDoor.close().onFailure(CallboardRuntime::reportedElsewhere);
    }

    @Override
    public Future<Void> close() {
      return frontDoor.close();
    }
  }

  /** On the durable context, of an open node. */
  Ownership ownership() {
    if (ownership == null) {
      throw new IllegalStateException(NOT_OPEN);
    }
    return ownership;
  }

  Duration roomTimeout() {
    return options.roomTimeout();
  }

  Duration askTimeout() {
    return options.askTimeout();
  }

  /** On the durable context; fails before the node is open. */
  @Override
  public void submit(Ready ready) {
    if (committer == null) {
      ready.done().accept(new Ready.Result.Failed(Reason.INCARNATION, NOT_OPEN));
    } else {
      committer.submit(ready);
    }
  }

  /** On the durable context: whether a commit under way will tell of mail for that actor. */
  boolean isSendingTo(ActorPath receiver) {
    return committer != null && committer.isSendingTo(receiver);
  }

  DeadLetters deadLetters() {
    return deadLetters;
  }

  static CallboardException handlerFailed(ActorPath actor, Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE
        ? ours
        : new CallboardException(
            Code.HANDLER_FAILED, "%s failed: %s".formatted(actor, Failure.text(cause)), cause);
  }

  /** For the failure of a future whose cause reaches its owner another way. */
  static void reportedElsewhere(Throwable cause) {
    log.debug("reported to its owner", cause);
  }

  Courier courier() {
    return courier;
  }

  /** On the durable context. */
  HistoryWriter histories() {
    return histories;
  }

  CommitMeter commits() {
    return commits;
  }

  BlobMeter blobs() {
    return blobs;
  }

  LargeBodies largeBodies() {
    return largeBodies;
  }

  /** On the durable context. */
  Scales recoveries() {
    return recoveries;
  }

  TellLanes tellLanes() {
    return tellLanes;
  }
}
