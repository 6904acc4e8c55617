package io.callboard.internal.node;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.activation.PushSender;
import io.callboard.internal.activation.UnhostedMail;
import io.callboard.internal.commit.Committer;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.context.Counters;
import io.callboard.internal.context.Promises;
import io.callboard.internal.context.Timeout;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.internal.durable.HistoryWriter;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.lifecycle.RefusedCalls;
import io.callboard.internal.link.LinkLimits;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.membership.Groups;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.internal.messaging.ActorReply;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.messaging.DeathWatch;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.messaging.RemoteMessaging;
import io.callboard.internal.messaging.TellSequencer;
import io.callboard.internal.messaging.WaitForGraph;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.metrics.CommitMeter;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.RootSupervisor;
import io.callboard.internal.zone.Zones;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.Store;
import io.callboard.store.StoreLostException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.supervision.Failure;
import io.callboard.time.Time;
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
public final class NodeAssembly implements MailboxAppender.Node {
  private static final Logger log = LoggerFactory.getLogger(NodeAssembly.class);
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
  private final AccessDenials denials = new AccessDenials();
  private final WaitForGraph waitForGraph = new WaitForGraph();
  private final Zones zones;
  private final TimeoutWheel limits;
  private final PendingAsks asks;
  private final RemoteMessaging remoteMessaging;
  private final NodeRouter router;
  private final PushSender pushSender;
  private final EventBusEndpoints bus;
  private final UnhostedMail unhosted;
  private final Store store;
  private final DurableActors durables;
  private final RootSupervisor supervisor;
  private final FailureZones failureZones;
  private final DeathWatch deathWatch;
  private final LocalActors actors;
  private final MemberFacts facts;
  private final Groups groups;
  private final BlobTransfers blobTransfers;
  private final WeightedLimiter recoveries;
  private final TellSequencer tellSequencer;
  private final MessageSender messageSender;
  private final HistoryWriter histories = new HistoryWriter(this);
  private final Callboard frontDoor;
  private final Promise<Void> end = Promise.promise();
  private volatile @Nullable Throwable escalation;
  private volatile Phase phase = Phase.OPENING;
  private @Nullable Committer committer;
  private @Nullable PartitionOwnership ownership;

  private enum Phase {
    OPENING,
    OPEN,
    CLOSING
  }

  /**
   * @param zones closed by the caller if this fails
   */
  NodeAssembly(VertxInternal vertx, CallboardOptions options, Zones zones, Callboard frontDoor) {
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
    this.remoteMessaging = new RemoteMessaging(this);
    this.router =
        new NodeRouter(vertx, bootId, options.name(), remoteMessaging, LinkLimits.DEFAULT);
    this.pushSender = new PushSender(this);
    this.bus = new EventBusEndpoints(vertx, router.context(), router.locator());
    this.asks =
        new PendingAsks(
            new TimeoutWheel(this::afterMillis, time::nanoTime),
            promises,
            bootId,
            remoteMessaging::replyTo,
            address -> ActorReply.actor(this, address),
            this::whyNoAnswer,
            options.pendingAsks());
    this.store = options.store().get();
    this.durables = new DurableActors(this, store);
    this.unhosted = new UnhostedMail(this, store, durables::isHere);
    this.deathWatch = new DeathWatch(this);
    this.durables.news().listen(deathWatch);
    this.facts = new MemberFacts(store);
    this.groups = new Groups(this);
    this.durables.news().listen(groups);
    this.supervisor =
        new RootSupervisor(
            time == Time.SYSTEM ? zones.timers() : time, random.nextLong(), new RootOwner());
    this.failureZones = new FailureZones(this, supervisor);
    this.actors = new LocalActors(vertx, this, durables, bus);
    zones.listen(this::blocked);
    this.blobTransfers = new BlobTransfers(this, store.blobs());
    this.recoveries = new WeightedLimiter(options.recoveries());
    this.tellSequencer = new TellSequencer(blobTransfers);
    this.messageSender = new MessageSender(this, remoteMessaging, actors, "edge:" + label());
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
    return committer != null && unhosted.isKnown(actor) ? UnhostedMail.why(actor) : null;
  }

  /** The node and its start, for senders' names. */
  String label() {
    return options.name() + ":" + bootId.substring(0, 8);
  }

  /** The store is open. */
  void opened(Committer commits, PartitionOwnership claims) {
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
  public Optional<CallboardException> hindrance() {
    return switch (phase) {
      case OPENING -> Optional.of(new CallboardException(Code.STOPPED, NOT_OPEN));
      case OPEN -> Optional.empty();
      case CLOSING -> Optional.of(CallboardException.stopped("this node"));
    };
  }

  public Callboard frontDoor() {
    return frontDoor;
  }

  public String node() {
    return options.name();
  }

  public String bootId() {
    return bootId;
  }

  public Vertx vertx() {
    return vertx;
  }

  public CallboardOptions options() {
    return options;
  }

  /** For the durable context. */
  public RandomGenerator random() {
    return random;
  }

  /** Independent of any other. Any thread. */
  public RandomGenerator newRandom() {
    synchronized (seeds) {
      return seeds.split();
    }
  }

  public RefusedCalls refusedCalls() {
    return refusedCalls;
  }

  public Promises promises() {
    return promises;
  }

  public ContextInternal durableContext() {
    return durableContext;
  }

  public DurableActors durables() {
    return durables;
  }

  public LocalActors actors() {
    return actors;
  }

  /** What {@code task} gives on a worker thread; completes there. Any thread. */
  public <T> Future<T> onWorker(Callable<T> task) {
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
  public void onDurableContext(Runnable task) {
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
  public void onDurableContext(Promise<?> done, Runnable task) {
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
  public <T> Future<T> fromDurableContext(Promise<T> done, Supplier<Future<T>> task) {
    onDurableContext(done, () -> task.get().onComplete(done));
    return done.future();
  }

  public Time time() {
    return time;
  }

  public Clock clock() {
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
  public Time.Alarm after(Duration delay, Runnable task) {
    return time.after(durableContext, delay, () -> run(task));
  }

  /** Runs {@code task} after that time, in the supervision zone, unless it is reached before. */
  public Timeout limit(Duration time, Runnable task) {
    Timeout timeout = new Timeout(limits, task);
    limits.add(timeout, time.toNanos());
    return timeout;
  }

  /** The node has closed: what is left behind of it is held by nothing here. */
  void forgetLimits() {
    limits.drain(limit -> {});
  }

  public void afterMillis(long millis, Runnable task) {
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

  public Counters counters() {
    return counters;
  }

  public AccessDenials denials() {
    return denials;
  }

  public WaitForGraph waits() {
    return waitForGraph;
  }

  public Zones zoneRegistry() {
    return zones;
  }

  public Store store() {
    return store;
  }

  UnhostedMail unhosted() {
    return unhosted;
  }

  public PendingAsks asks() {
    return asks;
  }

  public RemoteMessaging elsewhere() {
    return remoteMessaging;
  }

  public DeathWatch watches() {
    return deathWatch;
  }

  public MemberFacts facts() {
    return facts;
  }

  public Groups groups() {
    return groups;
  }

  public NodeRouter router() {
    return router;
  }

  public PushSender pushes() {
    return pushSender;
  }

  public EventBusEndpoints bus() {
    return bus;
  }

  public RootSupervisor supervisor() {
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
  public void lost(Throwable cause) {
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
    store.close().onFailure(NodeAssembly::reportedElsewhere);
    frontDoor.close().onFailure(NodeAssembly::reportedElsewhere);
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
      frontDoor.close().onFailure(NodeAssembly::reportedElsewhere);
    }

    @Override
    public Future<Void> close() {
      return frontDoor.close();
    }
  }

  /** On the durable context, of an open node. */
  public PartitionOwnership ownership() {
    if (ownership == null) {
      throw new IllegalStateException(NOT_OPEN);
    }
    return ownership;
  }

  public Duration roomTimeout() {
    return options.roomTimeout();
  }

  public Duration askTimeout() {
    return options.askTimeout();
  }

  /** On the durable context; fails before the node is open. */
  @Override
  public void submit(PendingUnit pendingUnit) {
    if (committer == null) {
      pendingUnit.done().accept(new PendingUnit.Result.Failed(Reason.INCARNATION, NOT_OPEN));
    } else {
      committer.submit(pendingUnit);
    }
  }

  /** On the durable context: whether a commit under way will tell of mail for that actor. */
  public boolean isSendingTo(ActorPath receiver) {
    return committer != null && committer.isSendingTo(receiver);
  }

  public DeadLetters deadLetters() {
    return deadLetters;
  }

  public static CallboardException handlerFailed(ActorPath actor, Throwable cause) {
    return cause instanceof CallboardException ours && ours.code() == Code.BAD_MESSAGE
        ? ours
        : new CallboardException(
            Code.HANDLER_FAILED, "%s failed: %s".formatted(actor, Failure.text(cause)), cause);
  }

  /** For the failure of a future whose cause reaches its owner another way. */
  public static void reportedElsewhere(Throwable cause) {
    log.debug("reported to its owner", cause);
  }

  public MessageSender courier() {
    return messageSender;
  }

  /** On the durable context. */
  public HistoryWriter histories() {
    return histories;
  }

  public CommitMeter commits() {
    return commits;
  }

  public BlobMeter blobs() {
    return blobs;
  }

  public BlobTransfers largeBodies() {
    return blobTransfers;
  }

  /** On the durable context. */
  public WeightedLimiter recoveries() {
    return recoveries;
  }

  public TellSequencer tellLanes() {
    return tellSequencer;
  }
}
