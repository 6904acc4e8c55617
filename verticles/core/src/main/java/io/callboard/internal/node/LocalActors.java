package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableActor;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.StatusDetails;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.activation.HostDeclaration;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.Sequence;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.inmemory.VolatileRunner;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorHost;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.lifecycle.Parentage;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.ownership.PlacementChecks;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.store.Store;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Actors of this node, volatile and durable: starts, finds and stops them. */
public final class LocalActors implements ActorHost {
  /** Limit of the actors that stop at the same time when the node closes. */
  private static final int STOPS_AT_ONCE = 20_000;

  private final Store store;
  private final FailureZones failureZones;
  private final DurableActors durables;
  private final ActorEndpoints endpoints;
  private final ActorEnvironment environment;
  private final Map<ActorPath, VolatileRunner> volatiles = new ConcurrentHashMap<>();
  private final Parentage parentage = new Parentage(this::end, this::runner);
  private volatile ActorOptions lastOptions = new ActorOptions();

  /**
   * @param environment the environment of the actors, whose host this is
   */
  LocalActors(
      Function<ActorHost, ActorEnvironment> environment,
      Store store,
      FailureZones failureZones,
      DurableActors durables,
      EventBusEndpoints bus) {
    this.store = store;
    this.failureZones = failureZones;
    this.durables = durables;
    this.environment = environment.apply(this);
    this.endpoints = new ActorEndpoints(node().vertx(), bus, this.environment.sender(), durables);
  }

  ActorEnvironment environment() {
    return environment;
  }

  private NodeContext node() {
    return environment.node();
  }

  ActorEndpoints endpoints() {
    return endpoints;
  }

  /** Returns the volatile actor at {@code path}; null if none runs here. */
  public @Nullable VolatileRunner find(ActorPath path) {
    return volatiles.get(path);
  }

  List<ActorStatus> status() {
    List<ActorStatus> all = new ArrayList<>();
    volatiles.values().forEach(runner -> all.add(runner.status()));
    durables.runners().forEach(runner -> all.add(runner.status()));
    all.sort(Comparator.comparing(ActorStatus::path));
    return all;
  }

  /** Returns the status of the actor or durable actor of that path; empty if it is not here. */
  Optional<ActorStatus> status(ActorPath path) {
    return Optional.ofNullable(runner(path)).map(ActorRunner::status);
  }

  /** Calls {@code look} with each actor of this node, in no order. Any thread. */
  void each(Consumer<ActorRunner> look) {
    volatiles.values().forEach(look);
    durables.runners().forEach(look);
  }

  /**
   * Returns the reason for which the actor of that path answers no message; null if it is not here,
   * or runs. Any thread.
   */
  @Nullable String whyDown(ActorPath path) {
    ActorRunner runner = runner(path);
    if (runner == null) {
      return null;
    }
    ActorHistory history = runner.history();
    ChildRest rest = history.rest();
    ActorPath needs = history.needs();
    if (rest != null) {
      return "%s %s, its mail waits until it is resumed"
          .formatted(path, rest.asked() ? "was stopped by an operator" : history.failedFor());
    }
    return needs == null
        ? null
        : "%s needs %s, which is stopped or failed: its mail waits until that one is resumed"
            .formatted(path, needs);
  }

  /**
   * Completes with the failures of an actor, oldest first, if it runs here or is stored; else
   * empty.
   */
  public Future<List<Failure>> failures(ActorPath path) {
    VolatileRunner local = volatiles.get(path);
    if (local != null) {
      return Future.succeededFuture(local.history().failures());
    }
    return node()
        .fromDurableContext(
            node().promises().here(),
            () -> {
              DurableRunner runner = durables.runner(path);
              return runner == null ? store.failures(path) : runner.failures();
            });
  }

  /** Reports an actor that blocks a thread. Any thread. */
  void blocked(ActorPath path, String what, String stack) {
    VolatileRunner local = volatiles.get(path);
    ActorRunner runner = local != null ? local : durables.runner(path);
    if (runner != null) {
      runner.history().noted(Kind.BLOCKED, what, stack, node().node());
    }
  }

  /** Stops all actors, those of failure zones first and in their order; on the durable context. */
  Future<Void> close() {
    return failureZones.close().transform(done -> closeRest());
  }

  private Future<Void> closeRest() {
    volatiles.values().forEach(VolatileRunner::halt);
    Future<Void> stopped = stopAll(volatiles.values().iterator());
    return Future.join(stopped, node().fromDurableContext(Promise.promise(), durables::close))
        .mapEmpty();
  }

  /**
   * Stops many in parallel, but not so many that the last ones wait for longer than a stop may
   * take.
   */
  private static Future<Void> stopAll(Iterator<VolatileRunner> runners) {
    return Sequence.of(
        () -> {
          List<Future<Void>> stops = new ArrayList<>();
          while (runners.hasNext() && stops.size() < STOPS_AT_ONCE) {
            stops.add(runners.next().stop()); // which never fails
          }
          return stops.isEmpty() ? null : Future.join(stops);
        });
  }

  <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions given) {
    return spawn(path, factory, given, failureZones::of, node()::hindrance);
  }

  /**
   * @param zones gives the supervisor for an actor of that path
   * @param hindrances gives the reason for which the actor cannot be here, if there is one; asked
   *     again when the actor can be found and ended
   */
  private <M> Future<ActorRef<M>> spawn(
      String path,
      Supplier<? extends Actor<M>> factory,
      ActorOptions given,
      Function<ActorPath, Supervisor> zones,
      Supplier<Optional<CallboardException>> hindrances) {
    Optional<NullPointerException> missing = SpawnChecks.missing(path, factory, given);
    if (missing.isPresent()) {
      return Future.failedFuture(missing.get());
    }
    Optional<CallboardException> hindrance = hindrances.get();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    ActorOptions actorOptions = copied(given);
    hindrance = environment.groups().hindrance(actorOptions);
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    Actor<M> probe;
    ActorRefImpl<M> ref;
    Supervisor supervisor;
    try {
      ActorPath actor = ActorPath.of(path);
      failureZones.requireNone(actor);
      supervisor = zones.apply(actor);
      environment.zones().check(actorOptions.zone(), actorOptions.zonePriority());
      probe = SpawnChecks.made(actor, factory);
      SpawnChecks.checkDelivery(
          actorOptions, probe.getClass().getName(), probe instanceof DurableActor);
      PlacementChecks.check(actor, probe, actorOptions);
      SpawnChecks.checkTypes(probe);
      ref =
          new ActorRefImpl<>(
              environment.sender(), actor, probe instanceof DurableActor, probe.messageType());
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    Promise<ActorRef<M>> spawned = node().promises().here();
    Future<Void> started =
        ref.durable()
            ? spawnDurable(supervisor, ref, factory, actorOptions, hindrances)
            : spawnVolatile(supervisor, ref, probe, factory, actorOptions, hindrances);
    started
        .compose(v -> actorOptions.onBus() ? open(ref, probe) : Future.succeededFuture())
        .<ActorRef<M>>map(ref)
        .onComplete(spawned);
    return spawned.future();
  }

  /**
   * Returns a defensive copy of the options; actors started one after the other often share one.
   */
  private ActorOptions copied(ActorOptions given) {
    ActorOptions last = lastOptions;
    if (given.equals(last)) {
      return last;
    }
    ActorOptions copy = new ActorOptions(given);
    lastOptions = copy;
    return copy;
  }

  /**
   * @param first made by the factory
   */
  private Future<Void> spawnVolatile(
      Supervisor supervisor,
      ActorRefImpl<?> ref,
      Actor<?> first,
      Supplier<? extends Actor<?>> factory,
      ActorOptions actorOptions,
      Supplier<Optional<CallboardException>> hindrances) {
    VolatileRunner runner = new VolatileRunner(environment, supervisor, ref, factory, actorOptions);
    runner.enters(); // before it can be found, and ended
    if (first instanceof StatusDetails) {
      environment.census().reports(runner);
    }
    if (volatiles.putIfAbsent(ref.path(), runner) != null) {
      runner.leaves();
      return Future.failedFuture(
          new CallboardException(Code.PATH_TAKEN, "actor " + ref.path() + " runs already"));
    }
    Optional<CallboardException> hindrance = hindrances.get(); // an end may not have seen it
    if (hindrance.isEmpty()) {
      return supervisor == environment.root() ? runner.start(first) : runner.startInZone(first);
    }
    return runner.stop().compose(v -> Future.failedFuture(hindrance.get()));
  }

  private Future<Void> spawnDurable(
      Supervisor supervisor,
      ActorRefImpl<?> ref,
      Supplier<? extends Actor<?>> factory,
      ActorOptions actorOptions,
      Supplier<Optional<CallboardException>> hindrances) {
    return node()
        .fromDurableContext(
            Promise.promise(),
            () -> {
              Optional<CallboardException> hindrance = hindrances.get(); // an end went before it
              return hindrance.isPresent()
                  ? Future.failedFuture(hindrance.get())
                  : durables.spawn(supervisor, ref, factory, actorOptions);
            });
  }

  /** Opens an actor's endpoint, unless the actor has stopped meanwhile. */
  private Future<Void> open(ActorRefImpl<?> ref, Actor<?> probe) {
    VolatileRunner runner = volatiles.get(ref.path());
    return endpoints.open(
        ref, probe, () -> ref.durable() || (runner != null && !runner.isStopped()));
  }

  <M> Future<Void> host(String prefix, Supplier<? extends Actor<M>> factory, ActorOptions given) {
    Optional<NullPointerException> missing = SpawnChecks.missing(prefix, factory, given);
    if (missing.isPresent()) {
      return Future.failedFuture(missing.get());
    }
    Optional<CallboardException> hindrance = node().hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    ActorOptions actorOptions = new ActorOptions(given);
    HostDeclaration declared;
    try {
      ActorPath path = ActorPath.of(prefix);
      SpawnChecks.checkDelivery(actorOptions, "an actor hosted below " + path, true);
      environment.zones().check(actorOptions.zone(), actorOptions.zonePriority());
      Actor<M> probe = SpawnChecks.made(path, factory);
      SpawnChecks.checkHosted(path, probe, actorOptions);
      declared = HostDeclaration.of(path, factory, probe, actorOptions);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    return node().fromDurableContext(node().promises().here(), () -> durables.host(declared));
  }

  /** Starts a volatile actor as a child of another one of this node, and ends it with that one. */
  @Override
  public <M> Future<ActorRef<M>> spawnChild(
      ActorPath parent,
      BooleanSupplier isOver,
      String name,
      Supplier<? extends Actor<M>> factory,
      ActorOptions given) {
    if (name == null) {
      return Future.failedFuture(
          new NullPointerException("the name of a child of " + parent + " is null: give it one"));
    }
    Supplier<Optional<CallboardException>> hindrances =
        () ->
            isOver.getAsBoolean()
                ? Optional.of(CallboardException.stopped("actor " + parent))
                : node().hindrance();
    return parentage.spawn(
        parent,
        isOver,
        name,
        path -> spawn(path.toString(), factory, given, actor -> environment.root(), hindrances));
  }

  /**
   * Makes the parent of that actor fail in its place; returns false if it is not another actor of
   * this node.
   */
  @Override
  public boolean escalated(ActorPath child, Throwable cause) {
    ActorRunner parent = parentage.parentOf(child).map(this::runner).orElse(null);
    if (parent == null) {
      return false;
    }
    parent.fails(cause);
    return true;
  }

  /** Returns the runner of the actor of that path; null if it is not here. Any thread. */
  private @Nullable ActorRunner runner(ActorPath path) {
    VolatileRunner local = volatiles.get(path);
    return local != null ? local : durables.runner(path);
  }

  /**
   * Returns the failure for which that actor or failure zone rests; null if an operator made it
   * rest.
   */
  @Override
  public @Nullable Failure restsBy(ActorPath resting) {
    FailureZoneRunner zone = failureZones.find(resting);
    ActorRunner runner = zone == null ? runner(resting) : null;
    return zone != null ? zone.restsBy() : runner == null ? null : runner.restsBy();
  }

  /**
   * Stops an actor at its own request; for a permanent one that counts as a failure. Any thread.
   */
  @Override
  public void stopsItself(ActorPath path) {
    ActorRunner runner = runner(path);
    if (runner == null) {
      return;
    } else if (runner.supervision().kind() == ChildKind.PERMANENT) {
      runner.fails(
          new IllegalStateException("%s stopped itself although it is permanent".formatted(path)));
      return;
    }
    runner.stopsItself();
    handled(runner).compose(v -> end(path)).onFailure(NodeContext::reportedElsewhere);
  }

  /**
   * Completes when the turn in which a durable actor stops itself is committed; that of a volatile
   * one has ended.
   */
  private Future<Void> handled(ActorRunner runner) {
    return runner instanceof DurableRunner durable
        ? node().fromDurableContext(Promise.promise(), durable::quiet)
        : Future.succeededFuture();
  }

  boolean isHere(ActorPath path) {
    return runner(path) != null;
  }

  /** Stops the children of an actor whose life is over. */
  @Override
  public Future<Void> stopChildren(ActorPath parent) {
    return parentage.stopAll(parent);
  }

  /** Frees the path of an actor that has ended. */
  @Override
  public void ended(ActorRunner runner) {
    parentage.forget(runner.path()); // first: then its name may be another child's
    if (volatiles.remove(runner.path(), runner)) {
      runner.leaves();
    }
  }

  public Future<Void> stop(ActorPath actor) {
    Promise<Void> done = node().promises().here();
    end(actor).onComplete(done);
    return done.future();
  }

  /** Stops an actor, whoever started it; completes on any thread. */
  @Override
  public Future<Void> end(ActorPath actor) {
    VolatileRunner runner = volatiles.get(actor);
    return endpoints.close(actor).compose(v -> runner != null ? runner.stop() : endDurable(actor));
  }

  private Future<Void> endDurable(ActorPath actor) {
    return node().fromDurableContext(Promise.promise(), () -> durables.stop(actor));
  }

  /** Resets the backoff of an actor that reports itself healthy. Any thread. */
  @Override
  public void well(ActorPath actor) {
    ActorRunner runner = runner(actor);
    if (runner != null) {
      runner.isWell();
    }
  }

  /** Changes the supervision options of an actor; fails if it is not here. */
  Future<Void> treat(ActorPath actor, SupervisionOptions options) {
    ActorRunner runner = runner(actor);
    if (runner == null) {
      return Future.failedFuture(CallboardException.noSuchActor(actor));
    }
    runner.supervision(options);
    return Future.succeededFuture();
  }

  /** Passes an operator's request on to an actor; fails if it is not here. */
  Future<Void> ask(ActorPath actor, FailureZones.Wish wish) {
    ActorRunner runner = runner(actor);
    if (runner == null && wish == FailureZones.Wish.RESUME) {
      return node().fromDurableContext(Promise.promise(), () -> durables.resumeStored(actor));
    } else if (runner == null) {
      return Future.failedFuture(CallboardException.noSuchActor(actor));
    } else if (runner.state() == State.ELSEWHERE) {
      return Future.failedFuture(
          new CallboardException(
              Code.CONFLICT,
              "another node owns the partition of actor %s and runs it: ask that one"
                  .formatted(actor)));
    }
    return runner instanceof DurableRunner durable && wish != FailureZones.Wish.SUSPEND
        ? node().fromDurableContext(Promise.promise(), () -> goesOn(durable, wish))
        : FailureZones.asked(runner.supervisor(), runner, wish);
  }

  /** Resumes the actor even if its record, which is being read, says that it was stopped. */
  private static Future<Void> goesOn(DurableRunner runner, FailureZones.Wish wish) {
    return FailureZones.asked(runner.supervisor(), runner, wish, runner::lift);
  }
}
