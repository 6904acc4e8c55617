package io.callboard.internal.durable;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.DeliveryMode;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.recovery.ActorLoader;
import io.callboard.internal.recovery.PendingRedo;
import io.callboard.internal.recovery.RequestedRedo;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starter of the lives of one durable actor: makes an object for the stored data that was read, and
 * deploys it. Called on the durable context, which owns its state, except where a method says
 * otherwise; its futures complete on any thread.
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
  private final ActorLoader loader;
  private final RequestedRedo redo;
  private @Nullable DurableTurns last;
  private volatile String type = "";

  DurableStart(
      DurableEnvironment environment,
      Supervisor supervisor,
      DurableTurns.Owner owner,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      ActorHistory history,
      ActorLoader loader,
      RequestedRedo redo) {
    this.environment = environment;
    this.supervisor = supervisor;
    this.owner = owner;
    this.factory = factory;
    this.options = options;
    this.loop = owner.mailbox().loop();
    this.history = history;
    this.loader = loader;
    this.redo = redo;
    this.units =
        new CommitUnitBuilder(owner.self().path(), options.snapshots(), options.archived());
    loop.chores(units.journal()::hasChores);
  }

  /** Class name of the last object; empty before the first. Any thread. */
  String type() {
    return type;
  }

  /** Returns whether the actor has neither events nor snapshots. */
  boolean isEmpty() {
    return units.journal().isEmpty();
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
    Runnable doneReading = loader.doneReadingThis();
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
            owner.mailbox().toSelf());
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
    PendingRedo wanted = redo.pending();
    if (wanted != null) {
      scope.recovery().redo(wanted, turns::firstSnapshot);
    }
    loader.recovers(scope.recovery());
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
    Future<Void> reported = gone.isComplete() ? over.future() : Future.succeededFuture();
    gone.onComplete(
        v ->
            environment
                .node()
                .onDurableContext(over, () -> turns.end().onComplete(done -> over.complete())));
    return reported.transform(done -> Future.failedFuture(cause));
  }
}
