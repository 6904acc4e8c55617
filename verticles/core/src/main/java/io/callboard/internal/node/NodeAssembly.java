package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.activation.PushReceiver;
import io.callboard.internal.activation.PushSender;
import io.callboard.internal.activation.RunnerFactory;
import io.callboard.internal.activation.UnhostedMail;
import io.callboard.internal.commit.CommitPort;
import io.callboard.internal.commit.Committer;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.internal.durable.DurableEnvironment;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.history.HistoryWriter;
import io.callboard.internal.lifecycle.ActorCensus;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.ActorHost;
import io.callboard.internal.lifecycle.RefusedCalls;
import io.callboard.internal.link.LinkLimits;
import io.callboard.internal.link.NodeRouter;
import io.callboard.internal.membership.CellBroadcasts;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.membership.Groups;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.messaging.DeathWatch;
import io.callboard.internal.messaging.DurableSender;
import io.callboard.internal.messaging.KeptBlobs;
import io.callboard.internal.messaging.LocalActor;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.messaging.RemoteMessaging;
import io.callboard.internal.messaging.RemoteReceiver;
import io.callboard.internal.messaging.TellSequencer;
import io.callboard.internal.messaging.WaitForGraph;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.metrics.CommitMeter;
import io.callboard.internal.outbox.StuckLanes;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.OfferPublisher;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.parked.ParkedMessages;
import io.callboard.internal.remote.AdminEndpoint;
import io.callboard.internal.supervisor.RootSupervisor;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zones;
import io.callboard.placement.Offer;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredRecord;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Assembly of a node: makes its parts and wires them by their constructors. No part keeps it; what
 * it hands out are the parts that the node's API uses.
 */
final class NodeAssembly {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final NodeContext context;
  private final CommitMeter commits;
  private final BlobMeter blobs = new BlobMeter();
  private final DeadLetters deadLetters;
  private final ActorEnvironment environment;
  private final DurableEnvironment durableEnvironment;
  private final AccessDenials denials = new AccessDenials();
  private final WaitForGraph waitForGraph = new WaitForGraph();
  private final Zones zones;
  private final PendingAsks asks;
  private final RemoteReceiver remoteReceiver;
  private final NodeRouter router;
  private final AdminEndpoint endpoint;
  private final PushSender pushSender;
  private final OfferPublisher offers;
  private final CellEvents cellEvents = new CellEvents();
  private final CommitPort committing = new CommitPort();
  private final OnceOpen<PartitionOwnership> ownership = new OnceOpen<>();
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
  private final CellBroadcasts broadcasts;
  private final BlobTransfers blobTransfers;
  private final WeightedLimiter recoveries;
  private final TellSequencer tellSequencer;
  private final MailboxAppender appender;
  private final MessageSender messageSender;
  private final HistoryWriter histories;
  private final Callboard callboard;
  private final NodeEnd end;
  private final LiveNodes liveNodes;
  private final PeriodicTasks periodicTasks;
  private final NodeMeters meters;
  private final NodeLeases leases;

  /**
   * @param zones closed by the caller if this fails
   * @param callboard the API of the node, for its actors
   */
  NodeAssembly(VertxInternal vertx, CallboardOptions options, Zones zones, Callboard callboard) {
    this.callboard = callboard;
    this.zones = zones;
    this.context =
        new NodeContext(
            vertx,
            options,
            new TimeoutWheel(
                (millis, task) -> {
                  Runnable unused = zones.later(Duration.ofMillis(millis), task);
                },
                Time.SYSTEM::nanoTime));
    Time time = options.time();
    this.histories = new HistoryWriter(context);
    this.commits = new CommitMeter(time::nanoTime);
    this.store = options.store().get();
    this.deadLetters =
        new DeadLetters(context, context.counters().dead, vertx.createEventLoopContext());
    this.router = new NodeRouter(vertx, context.bootId(), options.name(), LinkLimits.DEFAULT);
    this.endpoint =
        new AdminEndpoint(context, callboard::admin, path -> failureZones().status(path));
    RemoteMessaging remote = new RemoteMessaging(context.promises(), router, deadLetters);
    this.bus = new EventBusEndpoints(vertx, router.context(), router.locator());
    this.asks =
        new PendingAsks(
            new TimeoutWheel(context::afterMillis, time::nanoTime),
            context.promises(),
            context.bootId(),
            remote::replyTo,
            address -> messageSender().actor(address),
            this::whyNoAnswer,
            options.pendingAsks());
    this.facts = new MemberFacts(store);
    this.offers = new OfferPublisher(context, facts);
    this.durables =
        new DurableActors(
            context,
            store,
            ownership,
            denials,
            cellEvents,
            offers,
            new Runners(),
            commits::typicalNanos);
    this.unhosted =
        new UnhostedMail(context, store, ownership, durables::isHere, durables::hasForgone);
    this.pushSender = new PushSender(context, ownership, router);
    this.deathWatch = new DeathWatch(context, asks, remote, this::volatileActor);
    this.cellEvents.listen(deathWatch);
    this.remoteReceiver =
        new RemoteReceiver(
            context,
            remote,
            bus,
            asks,
            deathWatch,
            new PushReceiver(context, durables.wake())::arrived);
    this.blobTransfers = new BlobTransfers(context, blobs, store.blobs());
    this.tellSequencer = new TellSequencer(blobTransfers);
    this.appender = new MailboxAppender(new AppenderPort(context, committing));
    this.messageSender =
        new MessageSender(
            context,
            this::volatileActor,
            remote,
            asks,
            deathWatch,
            deadLetters,
            new DurableSender(context, tellSequencer, blobTransfers, appender, durables.wake()));
    this.groups = new Groups(context, store, facts, messageSender);
    this.broadcasts = new CellBroadcasts(router.broadcasts(), vertx);
    this.cellEvents.listen(groups);
    this.liveNodes = new LiveNodes(context, store, router);
    this.cellEvents.listen(liveNodes);
    this.end = new NodeEnd(context, callboard, store, denials, ownership, durables, cellEvents);
    this.supervisor =
        new RootSupervisor(
            time == Time.SYSTEM ? zones.timers() : time, context.random().nextLong(), end);
    this.failureZones = new FailureZones(context, zones, supervisor, this::isHere);
    this.actors = new LocalActors(this::environment, store, failureZones, durables, bus);
    this.environment = actors.environment();
    zones.listen(this::blocked);
    this.recoveries = new WeightedLimiter(options.recoveries());
    this.durableEnvironment =
        new DurableEnvironment(
            environment,
            store,
            committing::submit,
            ownership::get,
            cellEvents,
            asks,
            blobTransfers,
            recoveries,
            histories,
            denials,
            commits,
            new StuckLanes(),
            appender);
    this.periodicTasks = new PeriodicTasks(context, durables, groups);
    this.meters = new NodeMeters(durableEnvironment, blobs, router, durables.partitions());
    this.leases = new NodeLeases(context, store, ownership, durables, offers, cellEvents);
  }

  /** Starts and closes the parts; made once. */
  NodeLifecycle lifecycle() {
    List<Supplier<Future<Void>>> starts =
        List.of(
            () -> {
              store.listen(storeEvents());
              return Future.succeededFuture();
            },
            () ->
                context
                    .vertx()
                    .deployVerticle(supervisor, zones.deployment(ZoneDefaults.SUPERVISION))
                    .mapEmpty(),
            () -> router.start(remoteReceiver),
            endpoint::start,
            actors.endpoints()::start);
    return new NodeLifecycle(context, store, starts, this::storeOpened, shutdown());
  }

  /** Listener for the events of the store. */
  StoreListener storeEvents() {
    return durables.events(committing, end::storeLost);
  }

  /** Makes and starts the parts that use the session of the store. On the durable context. */
  private void storeOpened(Session session) {
    committing.opened(
        new Committer(
            store,
            context.durableContext(),
            context.time(),
            session,
            context.options().commitWindow(),
            context.random(),
            commits,
            blobs,
            new CommittedMail(ownership, durables, pushSender, unhosted, end)));
    ownership.opened(
        new PartitionOwnership(
            store,
            context.node(),
            context.bootId(),
            session.partitions(),
            context::onDurableContext,
            (pause, task) -> context.later(pause.toNanos(), task),
            context::nanoTime,
            context.random(),
            durables.partitions()));
    context.opened();
    offers.opened();
    periodicTasks.start();
    liveNodes.membersChanged();
    groups.membersChanged();
  }

  private Shutdown shutdown() {
    return new Shutdown(context, zones)
        .thenRun("the periodic tasks", periodicTasks::stop)
        .then(
            "the hand-over to other nodes",
            () -> end.isStoreLost() ? Future.succeededFuture() : leases.handOverAll())
        .thenRun("supervision", supervisor::closes)
        .thenRun("the groups", groups::close)
        .thenRun("messages that wait for room", appender::close)
        .thenRun("large bodies", blobTransfers::close)
        .thenRun("messages that wait for large ones", tellSequencer::close)
        .thenRun("the endpoints", actors.endpoints()::stop)
        .then("the event bus", bus::close)
        .thenUnlimited("the actors", actors::close)
        .then(
            "the commits under way",
            () -> committing.drain().timeout(DRAIN.toMillis(), TimeUnit.MILLISECONDS))
        .thenRun("uncommitted units", committing::close)
        .then(
            "the leases",
            () ->
                ownership
                    .ifOpen()
                    .map(PartitionOwnership::close)
                    .orElseGet(Future::succeededFuture))
        .thenRun("the histories", histories::close)
        .then("the answers to other nodes", endpoint::close)
        .then("the links", router::close)
        .then("the store", store::close)
        .thenRun("the asks", asks::close)
        .thenRun("the zones", zones::close)
        .thenRun("the limits", context::forgetLimits)
        .then("the supervisor", supervisor::undeployLast);
  }

  /**
   * Returns the operator interface of the node; called once.
   *
   * @param hasClosed whether the node has closed; any thread
   */
  NodeAdmin admin(BooleanSupplier hasClosed) {
    ParkedMessages parked =
        new ParkedMessages(
            context,
            store,
            committing,
            tellSequencer,
            blobTransfers,
            durables,
            "replay:" + context.label());
    return new NodeAdmin(
        context,
        store,
        ownership,
        actors,
        failureZones,
        durables,
        parked,
        meters,
        zones,
        denials,
        deadLetters,
        hasClosed);
  }

  private ActorEnvironment environment(ActorHost host) {
    return new ActorEnvironment(
        context,
        callboard,
        zones,
        supervisor,
        host,
        messageSender,
        deathWatch,
        deadLetters,
        groups,
        waitForGraph,
        new RefusedCalls(context),
        new ActorCensus());
  }

  private boolean isHere(ActorPath path) {
    return actors.isHere(path);
  }

  /** Returns the volatile actor at {@code path}; null if none runs here. Any thread. */
  private @Nullable LocalActor volatileActor(ActorPath path) {
    return actors.find(path);
  }

  private void blocked(Object whose, String what, String stack) {
    if (whose instanceof ActorPath actor) {
      actors.blocked(actor, what, stack);
    }
  }

  /**
   * Returns the likely reason for which an actor has not answered in time; null if nothing is
   * known. Any thread.
   */
  private @Nullable String whyNoAnswer(ActorPath actor) {
    String down = actors.whyDown(actor);
    if (down != null) {
      return down;
    }
    return unhosted.isKnown(actor) ? Offer.unhosted(actor) : null;
  }

  ActorEnvironment environment() {
    return environment;
  }

  NodeContext context() {
    return context;
  }

  DurableActors durables() {
    return durables;
  }

  LocalActors actors() {
    return actors;
  }

  Store store() {
    return store;
  }

  UnhostedMail unhosted() {
    return unhosted;
  }

  PendingAsks asks() {
    return asks;
  }

  DeathWatch deathWatch() {
    return deathWatch;
  }

  MemberFacts facts() {
    return facts;
  }

  CellBroadcasts broadcasts() {
    return broadcasts;
  }

  Groups groups() {
    return groups;
  }

  NodeRouter router() {
    return router;
  }

  RootSupervisor supervisor() {
    return supervisor;
  }

  FailureZones failureZones() {
    return failureZones;
  }

  NodeEnd end() {
    return end;
  }

  NodeLeases leases() {
    return leases;
  }

  private final class Runners implements RunnerFactory {
    @Override
    public DurableRunner spawned(
        Supervisor above,
        ActorRefImpl<?> ref,
        Supplier<? extends Actor<?>> factory,
        ActorOptions actorOptions,
        Future<Void> before) {
      return new DurableRunner(durableEnvironment, above, ref, factory, actorOptions, before, null);
    }

    @Override
    public DurableRunner hosted(
        ActorPath path,
        Supplier<? extends Actor<?>> factory,
        ActorOptions actorOptions,
        Future<Void> before,
        Consumer<StoredRecord> deleted) {
      ActorRefImpl<Object> ref = new ActorRefImpl<>(messageSender, path, true, Object.class);
      return new DurableRunner(
          durableEnvironment, supervisor, ref, factory, actorOptions, before, deleted);
    }
  }

  /** Partition ownership of an open node. On the durable context. */
  PartitionOwnership ownership() {
    return ownership.get();
  }

  /** Events of the cell and of this node's leases. */
  CellEvents cellEvents() {
    return cellEvents;
  }

  KeptBlobs keptBlobs() {
    return new KeptBlobs(context, blobTransfers);
  }

  MessageSender messageSender() {
    return messageSender;
  }
}
