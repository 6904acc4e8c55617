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
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.internal.durable.DurableEnvironment;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.history.HistoryWriter;
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
import io.callboard.internal.messaging.ActorReply;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.messaging.DeathWatch;
import io.callboard.internal.messaging.DurableSender;
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
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.OfferPublisher;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.RootSupervisor;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zones;
import io.callboard.placement.Offer;
import io.callboard.store.Store;
import io.callboard.store.StoreLostException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembly of a node: makes its parts and wires them by their constructors. */
final class NodeAssembly {
  private static final Logger log = LoggerFactory.getLogger(NodeAssembly.class);

  private final CallboardOptions options;
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
  private final PushSender pushSender;
  private final OfferPublisher offers;
  private final CellEvents news = new CellEvents();
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
  private final Callboard frontDoor;
  private final Promise<Void> end = Promise.promise();
  private volatile @Nullable Throwable escalation;

  /**
   * @param zones closed by the caller if this fails
   */
  NodeAssembly(VertxInternal vertx, CallboardOptions options, Zones zones, Callboard frontDoor) {
    this.frontDoor = frontDoor;
    this.options = options;
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
    RemoteMessaging remote = new RemoteMessaging(context.promises(), router, deadLetters);
    this.bus = new EventBusEndpoints(vertx, router.context(), router.locator());
    this.asks =
        new PendingAsks(
            new TimeoutWheel(context::afterMillis, time::nanoTime),
            context.promises(),
            context.bootId(),
            remote::replyTo,
            address -> ActorReply.actor(messageSender(), address),
            this::whyNoAnswer,
            options.pendingAsks());
    this.facts = new MemberFacts(store);
    this.offers = new OfferPublisher(context, facts);
    this.durables =
        new DurableActors(context, store, ownership, denials, news, offers, new Runners());
    this.unhosted = new UnhostedMail(context, store, ownership, durables::isHere);
    this.pushSender = new PushSender(context, ownership, router);
    this.deathWatch = new DeathWatch(context, asks, remote, this::volatileActor);
    this.news.listen(deathWatch);
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
    this.appender = new MailboxAppender(new AppendingNode());
    this.messageSender =
        new MessageSender(
            context,
            this::volatileActor,
            remote,
            asks,
            deathWatch,
            new DurableSender(
                context, tellSequencer, blobTransfers, appender, durables.wake()::handles));
    this.groups = new Groups(context, store, facts, messageSender);
    this.broadcasts = new CellBroadcasts(router.broadcasts(), vertx);
    this.news.listen(groups);
    this.supervisor =
        new RootSupervisor(
            time == Time.SYSTEM ? zones.timers() : time,
            context.random().nextLong(),
            new RootOwner());
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
            news,
            asks,
            blobTransfers,
            recoveries,
            histories,
            denials,
            commits,
            appender);
  }

  private ActorEnvironment environment(ActorHost host) {
    return new ActorEnvironment(
        context,
        frontDoor,
        zones,
        supervisor,
        host,
        messageSender,
        deathWatch,
        deadLetters,
        groups,
        waitForGraph,
        new RefusedCalls(context));
  }

  private boolean isHere(ActorPath path) {
    return actors.isHere(path);
  }

  /** The volatile actor at {@code path}; null if none runs here. Any thread. */
  private @Nullable LocalActor volatileActor(ActorPath path) {
    return actors.find(path);
  }

  private void blocked(Object whose, String what, String stack) {
    if (whose instanceof ActorPath actor) {
      actors.blocked(actor, what, stack);
    }
  }

  /** Why an actor may not have answered in time; null if nothing is known. Any thread. */
  private @Nullable String whyNoAnswer(ActorPath actor) {
    String down = actors().whyDown(actor);
    if (down != null) {
      return down;
    }
    return unhosted.isKnown(actor) ? Offer.unhosted(actor) : null;
  }

  /** Completes the assembly once the store is open. */
  void opened(Committer commits, PartitionOwnership claims) {
    committing.opened(commits);
    ownership.opened(claims);
    context.opened();
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

  AccessDenials denials() {
    return denials;
  }

  Zones zones() {
    return zones;
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

  RemoteReceiver remoteReceiver() {
    return remoteReceiver;
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

  PushSender pushSender() {
    return pushSender;
  }

  EventBusEndpoints bus() {
    return bus;
  }

  RootSupervisor supervisor() {
    return supervisor;
  }

  FailureZones failureZones() {
    return failureZones;
  }

  /** Completes when this node has closed; fails with the cause if it closed on its own. */
  Promise<Void> end() {
    return end;
  }

  @Nullable Throwable escalation() {
    return escalation;
  }

  /**
   * Handles the loss of the store: gives the session up at once, so that others own what this node
   * owned, and closes. On the durable context.
   */
  void lost(Throwable cause) {
    if (escalation != null || context.isClosing()) {
      return;
    }
    StoreLostException lost = new StoreLostException(context.node(), cause);
    log.error("node {} closes: {}", context.node(), lost.getMessage(), cause);
    denials.note("the session of node " + context.node(), cause);
    escalation = lost;
    ownership.ifOpen().ifPresent(claims -> durables.wake().roles().inTouch(false, claims));
    news.sessionLost(); // what others may do from now on is stopped first
    store.close().onFailure(NodeContext::reportedElsewhere);
    frontDoor.close().onFailure(NodeContext::reportedElsewhere);
  }

  /** Returns whether the store serves this node no more. */
  boolean isLost() {
    return escalation instanceof StoreLostException;
  }

  private final class Runners implements RunnerFactory {
    @Override
    public DurableRunner spawned(
        Supervisor above,
        ActorRefImpl<?> ref,
        Supplier<? extends Actor<?>> factory,
        ActorOptions actorOptions,
        Future<Void> before) {
      return new DurableRunner(durableEnvironment, above, ref, factory, actorOptions, before);
    }

    @Override
    public DurableRunner hosted(
        ActorPath path,
        Supplier<? extends Actor<?>> factory,
        ActorOptions actorOptions,
        Future<Void> before) {
      ActorRefImpl<Object> ref = new ActorRefImpl<>(messageSender, path, true, Object.class);
      return spawned(supervisor, ref, factory, actorOptions, before);
    }
  }

  private final class AppendingNode implements MailboxAppender.Node {
    @Override
    public void submit(PendingUnit unit) {
      committing.submit(unit);
    }

    @Override
    public long nanoTime() {
      return context.nanoTime();
    }

    @Override
    public long pauseNanos(int failures) {
      return context.pauseNanos(failures);
    }

    @Override
    public void later(long nanos, Runnable task) {
      context.later(nanos, task);
    }

    @Override
    public void sent() {
      context.counters().sent.increment();
    }
  }

  private final class RootOwner implements RootSupervisor.Owner {
    /**
     * Ends the application of this node for a failure that no supervisor could mend. Any thread.
     */
    @Override
    public void escalated(Throwable cause) {
      log.error("node {} closes: {}", context.node(), cause.getMessage(), cause);
      escalation = cause;
      frontDoor.close().onFailure(NodeContext::reportedElsewhere);
    }

    @Override
    public Future<Void> close() {
      return frontDoor.close();
    }
  }

  /** Partition ownership of an open node. On the durable context. */
  PartitionOwnership ownership() {
    return ownership.get();
  }

  OnceOpen<PartitionOwnership> ownerships() {
    return ownership;
  }

  CommitPort committing() {
    return committing;
  }

  /** Events of the cell and of this node's leases. */
  CellEvents cellEvents() {
    return news;
  }

  OfferPublisher offers() {
    return offers;
  }

  DeadLetters deadLetters() {
    return deadLetters;
  }

  MessageSender messageSender() {
    return messageSender;
  }

  /** On the durable context. */
  MailboxAppender appender() {
    return appender;
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

  BlobTransfers blobTransfers() {
    return blobTransfers;
  }

  TellSequencer tellSequencer() {
    return tellSequencer;
  }
}
