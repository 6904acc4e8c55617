package io.callboard.internal.durable;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.DeliveryMode;
import io.callboard.admin.RecoveryStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts the lives of one durable actor: reads its stored data, makes an object and deploys it.
 * Called on the durable context; its futures complete on any thread.
 */
final class DurableStart {
  private final DurableEnvironment environment;
  private final Supervisor supervisor;
  private final DurableTurns.Owner owner;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final TurnLoop loop;
  private final ActorHistory history;
  private final CommitUnitBuilder units;
  private final StopMark stop;
  private @Nullable DurableTurns last;

  /**
   * Recovery permit of this start, completed to let another actor be read; null if none is held.
   */
  private @Nullable Promise<Void> permit;

  private volatile @Nullable ActorRecovery recovery;
  private @Nullable PendingRedo pendingRedo;
  private volatile String type = "";

  DurableStart(
      DurableEnvironment environment,
      Supervisor supervisor,
      DurableTurns.Owner owner,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      TurnLoop loop,
      ActorHistory history,
      StopMark stop) {
    this.stop = stop;
    this.environment = environment;
    this.supervisor = supervisor;
    this.owner = owner;
    this.factory = factory;
    this.options = options;
    this.loop = loop;
    this.history = history;
    this.units =
        new CommitUnitBuilder(owner.self().path(), options.snapshots(), options.archived());
    loop.chores(units.journal()::hasChores);
  }

  /** Class name of the last object; empty before the first. Any thread. */
  String type() {
    return type;
  }

  /** Whether the actor has neither events nor snapshots. */
  boolean isEmpty() {
    return units.journal().isEmpty();
  }

  /** Progress of the recovery; null if there is none. Any thread. */
  @Nullable RecoveryStatus recovering() {
    ActorRecovery now = recovery;
    return now == null ? null : now.progress();
  }

  /**
   * Reads the actor, once a recovery permit is free; creates its mailbox if it has none.
   *
   * @param wanted whether it is still to be read then
   */
  Future<Loaded> load(Lease owned, BooleanSupplier wanted) {
    doneReading();
    Promise<Void> may = Promise.promise();
    Promise<Void> mine = Promise.promise();
    permit = mine;
    var unused =
        environment
            .recoveries()
            .run(
                1,
                () -> {
                  if (!mine.future().isComplete()) {
                    may.complete();
                  }
                  return mine.future();
                });
    Runnable done = doneReadingThis();
    return may.future()
        .compose(
            v ->
                wanted.getAsBoolean()
                    ? read(owned)
                    : Future.failedFuture(CallboardException.stopped("actor " + path())))
        .onFailure(cause -> done.run());
  }

  /** Lets the next life make the state as an operator wants it. */
  void redo(PendingRedo wanted) {
    pendingRedo = wanted;
  }

  /**
   * Gives up a requested redo whose life or start has ended: no other life will make it.
   *
   * @return reports that to the request; empty if there is none
   */
  Optional<Runnable> notRedone(Throwable cause) {
    PendingRedo waiting = pendingRedo;
    pendingRedo = null;
    return waiting == null || waiting.done().isComplete()
        ? Optional.empty()
        : Optional.of(() -> waiting.failed(cause));
  }

  /** Releases the permit: the stored data is read, or will not be. */
  void doneReading() {
    recovery = null;
    if (permit != null) {
      permit.tryComplete();
      permit = null;
    }
  }

  /** {@link #doneReading()} for this start only; from any thread. */
  private Runnable doneReadingThis() {
    Promise<Void> mine = permit;
    return () ->
        environment
            .node()
            .onDurableContext(
                () -> {
                  if (mine == permit) {
                    doneReading();
                  }
                });
  }

  private ActorPath path() {
    return owner.self().path();
  }

  private Future<Loaded> read(Lease owned) {
    Store store = environment.store();
    ActorPath path = path();
    return store
        .load(path, owned)
        .compose(
            loaded ->
                loaded.record().isPresent()
                    ? Future.succeededFuture(loaded)
                    : store.createMailbox(path).compose(v -> store.load(path, owned)))
        .compose(loaded -> stop.check(loaded, owned, () -> store.load(path, owned)))
        .recover(cause -> Future.failedFuture(TransientFailure.of(cause)));
  }

  /**
   * Makes the object and starts it.
   *
   * @param over completed when the start failed and nothing of it is under way; later than the
   *     failure if the start holds its thread
   */
  @SuppressWarnings("unchecked")
  Future<DurableTurns> launch(Loaded loaded, Promise<Void> over) {
    Actor<Object> actor;
    Runnable doneReading = doneReadingThis();
    RelayDriver relayDriver = new RelayDriver(environment, owner, loop, options.redelivery());
    try {
      actor = (Actor<Object>) Objects.requireNonNull(factory.get(), "the factory made no actor");
      units.loaded(
          loaded.record().map(StoredRecord::record).orElse(ActorRecord.EMPTY), loaded.journal());
      relayDriver.loaded(loaded.outbox());
      checkTimers(relayDriver.timers());
    } catch (RuntimeException | Error e) {
      doneReading.run();
      over.complete();
      return Future.failedFuture(e);
    }
    type = actor.getClass().getName();
    DurableActorContext scope =
        new DurableActorContext(
            environment,
            owner.self(),
            loaded,
            history,
            doneReading,
            loop.mostAside(),
            options,
            own -> environment.node().onDurableContext(() -> owner.toSelf(own)));
    ActorInstance actorInstance =
        new ActorInstance(
            environment.actors(),
            supervisor,
            actor,
            options,
            scope,
            cause -> environment.node().onDurableContext(() -> owner.failedOutside(cause)));
    DurableTurns turns =
        new DurableTurns(
            environment, owner, loop, units, history, actorInstance, scope, relayDriver);
    last = turns;
    PendingRedo wanted = pendingRedo;
    if (wanted != null) {
      scope.recovery().redo(wanted, turns::firstSnapshot);
    }
    recovery = scope.recovery();
    scope.recovery().yields(actorInstance::yield);
    return actorInstance
        .start()
        .map(turns)
        .onFailure(cause -> doneReading.run())
        .recover(cause -> notStarted(turns, cause, over));
  }

  /**
   * Refuses timers of another delivery mode: they would stay for ever, and are not discarded
   * unasked.
   */
  private void checkTimers(int count) {
    if (count > 0 && loop.delivery() == DeliveryMode.AT_MOST_ONCE) {
      throw new IllegalStateException(
          "%s is at-most-once now, which excludes durable timers, and still has %d of them: run it at-least-once or exactly-once until they have fired or are cancelled"
              .formatted(owner.self().path(), count));
    }
  }

  /** See {@link ActorInstance#boundStart()}. */
  void boundLast() {
    if (last != null) {
      last.boundStart();
    }
  }

  /** Fails the start under way, if there is one. */
  void failLast(Throwable cause) {
    if (last != null) {
      last.failStart(cause);
    }
  }

  /**
   * Handles a failed start: ends what it had begun before it is tried again, which does not delay
   * the failure's report.
   */
  private Future<DurableTurns> notStarted(DurableTurns turns, Throwable cause, Promise<Void> over) {
    Future<Void> gone = turns.gone();
    Future<Void> told = gone.isComplete() ? over.future() : Future.succeededFuture();
    gone.onComplete(
        v ->
            environment
                .node()
                .onDurableContext(over, () -> turns.end().onComplete(done -> over.complete())));
    return told.transform(done -> Future.failedFuture(cause));
  }
}
