package io.callboard.internal.durable;

import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.UnknownFields;
import io.callboard.internal.commit.CommitFailures;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.context.Timeouts;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.outbox.DurableTimers;
import io.callboard.internal.outbox.OutboxDeliveries.GivenUp;
import io.callboard.internal.recovery.SnapshotWriter;
import io.callboard.internal.turn.HandledMessage;
import io.callboard.internal.turn.OutboxEntryChange;
import io.callboard.internal.turn.Turn;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.turn.TurnStep;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the turns of one life of a durable actor, lets out the effects that wait for a commit,
 * and reports the outcome to the {@link TurnLoop}. Every method is called on the durable context.
 */
final class DurableCommits {
  private static final Logger log = LoggerFactory.getLogger(DurableCommits.class);

  /** Reasons for which turns cannot be committed as they are. */
  private static final Set<Reason> NOT_AS_THEY_ARE =
      EnumSet.of(Reason.TOO_LARGE, Reason.CORRUPT, Reason.UNSENDABLE);

  private final DurableEnvironment environment;
  private final DurableTurns.Owner owner;
  private final TurnLoop loop;
  private final CommitUnitBuilder units;
  private final ActorHistory history;
  private final ActorInstance actorInstance;
  private final RelayDriver relayDriver;
  private final DurableActorContext scope;
  private final Runnable goOn;
  private final SnapshotWriter snapshotWriter;
  private boolean over;
  private @Nullable Promise<Void> underWay;
  private @Nullable Promise<Void> flushing;

  /**
   * @param goOn called when the loop may have a new decision to make
   */
  DurableCommits(
      DurableEnvironment environment,
      DurableTurns.Owner owner,
      TurnLoop loop,
      CommitUnitBuilder units,
      ActorHistory history,
      ActorInstance actorInstance,
      RelayDriver relayDriver,
      DurableActorContext scope,
      Runnable goOn) {
    this.environment = environment;
    this.owner = owner;
    this.loop = loop;
    this.units = units;
    this.history = history;
    this.actorInstance = actorInstance;
    this.relayDriver = relayDriver;
    this.scope = scope;
    this.goOn = goOn;
    this.snapshotWriter =
        new SnapshotWriter(
            environment.node(), environment.blobs(), path(), units.journal(), history, goOn);
    relayDriver.onGivenUp(this::givenUp);
  }

  /** Ends this life: commits under way no longer concern the loop. */
  void end() {
    over = true;
    if (flushing != null) {
      flushing.tryFail(CallboardException.stopped("actor " + path()));
    }
    snapshotWriter.end(underWay != null);
    relayDriver.end();
  }

  /**
   * Begins after the actor was read; commits may follow.
   *
   * @param state of a persistent actor; null for any other
   * @param unknown the unknown fields of the stored state
   */
  void begin(@Nullable Object state, UnknownFields unknown) {
    units.keep(unknown);
    snapshotWriter.begin(unknown, foldVersion());
    snapshotWriter.committed(loop.record(), state);
  }

  /**
   * Makes a snapshot of the state that the actor is to begin with, which the first commit names in
   * the place of all others. Called on any thread; completes on any.
   *
   * @param event the number of the last stored event
   */
  Future<Void> firstSnapshot(Object state, long event) {
    return environment
        .node()
        .fromDurableContext(
            Promise.promise(),
            () -> {
              snapshotWriter.begin(UnknownFields.NONE, foldVersion());
              return snapshotWriter.first(state, event);
            });
  }

  private int foldVersion() {
    return actorInstance.actor() instanceof PersistentActor<?, ?, ?> actor
        ? actor.foldVersion()
        : StoredSnapshot.FIRST_FOLD;
  }

  /** Completes when no commit of this life is under way. */
  Future<Void> settled() {
    Future<Void> turns = underWay == null ? Future.succeededFuture() : underWay.future();
    return Future.join(turns, relayDriver.landing()).mapEmpty();
  }

  /** Carries out {@link TurnStep.CommitTurns}. */
  void turns(TurnStep.CommitTurns step) {
    List<HandledMessage> turns = step.all();
    boolean nothing = turns.stream().allMatch(h -> h.isOwn() && h.turn().changesNothing());
    if (nothing && !turns.isEmpty()) {
      loop.nothingToCommit();
      left(turns);
      goOn.run();
      return;
    }
    underWay = Promise.promise();
    List<Turn> done = turns.stream().map(HandledMessage::turn).toList();
    List<Object> work = done.stream().flatMap(turn -> turn.enlisted().stream()).toList();
    Future<Void> written =
        work.isEmpty()
            ? environment.blobs().write(done)
            : flush(work).compose(v -> environment.blobs().write(done));
    if (written.succeeded()) {
      commitWritten(step);
    } else {
      written.onComplete(end -> written(step, done, end));
    }
  }

  /** Flushes enlisted work before the commit; completes on the durable context. */
  private Future<Void> flush(List<Object> work) {
    Promise<Void> flushed = Promise.promise();
    flushing = flushed;
    actorInstance.run(
        () ->
            actorInstance
                .flush(work)
                .onComplete(
                    end -> environment.node().onDurableContext(() -> flushed(end, flushed))));
    return Timeouts.within(
        actorInstance.turnTimeout(),
        flushed.future(),
        environment.node().time(),
        environment.node().durableContext());
  }

  private static void flushed(AsyncResult<?> end, Promise<Void> flushed) {
    if (end.succeeded()) {
      flushed.tryComplete();
    } else {
      flushed.tryFail(TransientFailure.of(end.cause()));
    }
  }

  private void written(TurnStep.CommitTurns step, List<Turn> done, AsyncResult<Void> end) {
    if (end.succeeded() && !over) {
      commitWritten(step);
      return;
    }
    if (end.succeeded()) {
      environment.blobs().forsake(done);
    }
    Throwable cause = end.succeeded() ? CallboardException.stopped("actor " + path()) : end.cause();
    settle(() -> failed(step, cause, false));
  }

  private void commitWritten(TurnStep.CommitTurns step) {
    List<HandledMessage> turns = step.all();
    CommitUnit unit;
    try {
      unit =
          units.turns(
              basis(),
              turns,
              isPersistent() ? null : last(turns),
              loop.header(),
              environment.node().clock().instant().truncatedTo(ChronoUnit.MILLIS));
      checkOwn(unit);
    } catch (RuntimeException | Error e) { // of the state's class, too
      environment.blobs().forsake(turns.stream().map(HandledMessage::turn).toList());
      settle(() -> failed(step, e, true));
      return;
    }
    submit(unit, step, () -> left(step.turns()));
  }

  private CommitUnitBuilder.Basis basis() {
    return new CommitUnitBuilder.Basis(loop.record(), loop.version(), owner.lease());
  }

  private boolean isPersistent() {
    return actorInstance.actor() instanceof PersistentActor;
  }

  /**
   * Refuses messages of the actor to itself that its mailbox has no room for: only the actor itself
   * could make room.
   */
  private void checkOwn(CommitUnit unit) {
    if (!loop.takesOwn(unit.outgoing().getOrDefault(path(), List.of()).size())) {
      throw CallboardException.mailboxFull(path());
    }
  }

  private static @Nullable Object last(List<HandledMessage> turns) {
    for (int i = turns.size() - 1; i >= 0; i--) {
      if (turns.get(i).turn().state() != null) {
        return turns.get(i).turn().state();
      }
    }
    return null;
  }

  private void left(List<HandledMessage> turns) {
    List<Runnable> effects = new ArrayList<>();
    for (HandledMessage handled : turns) {
      handled.turn().leaving().forEach(this::leave);
      effects.addAll(handled.turn().effects());
    }
    if (!effects.isEmpty()) {
      actorInstance.run(() -> effects.forEach(actorInstance::effect));
    }
    history.handled(turns.size());
    environment.node().counters().handled.add(turns.size());
    owner.mailbox().meter().handled(turns.size(), environment.node().nanoTime());
  }

  /** Runs one effect of a committed turn; a failing one does not hold up the others. */
  private void leave(Runnable leaving) {
    try {
      leaving.run();
    } catch (RuntimeException | Error e) {
      environment.node().counters().dead.increment();
      log.error(
          "an effect of a committed turn of {} failed: it is lost",
          owner.self().path(),
          Causes.readable(e));
    }
  }

  private static int sent(CommitUnit unit) {
    return unit.outgoing().values().stream().mapToInt(List::size).sum();
  }

  /** Carries out {@link TurnStep.Park}. */
  void park(TurnStep.Park park) {
    long timer = park.input().timer();
    OutboxEntryChange ends =
        relayDriver
            .timer(timer)
            .map(
                entry ->
                    DurableTimers.afterParking(
                        path(), timer, entry, environment.node().clock().millis()))
            .orElse(null);
    CommitUnit unit =
        units.park(basis(), park.input(), park.cause(), park.attempts(), loop.header(), ends);
    submit(unit, null, () -> parked(park, timer));
  }

  private void parked(TurnStep.Park park, long timer) {
    log.error(
        "message {} of {} is parked after {} attempts: {}",
        park.input().id(),
        path(),
        park.attempts(),
        Causes.text(park.cause()));
    Envelope envelope = park.input().envelope();
    if (envelope != null) { // the sender of a turn that could not be committed has no answer yet
      Reply asker = environment.asks().replyTo(envelope.replyTo());
      asker.fail(Reply.handlerFailed(path(), park.cause()));
    }
    if (timer > 0) {
      actorInstance.run(() -> scope.timers().parked(timer));
    }
    environment.node().counters().parked.increment();
    owner.mailbox().meter().parked();
    history.noted(Kind.POISONED, park.cause());
  }

  private void givenUp(GivenUp given) {
    log.error("delivery {} of {} is parked: {}", given.number(), path(), given.why());
    actorInstance.run(() -> scope.deliveries().parked(given.number()));
    environment.node().counters().parked.increment();
    owner.mailbox().meter().parked();
    String what = "delivery %d: %s".formatted(given.number(), given.why());
    history.noted(Kind.POISONED, what, null, environment.node().node());
  }

  /**
   * @param step null for a parked message
   */
  private void submit(CommitUnit unit, TurnStep.@Nullable CommitTurns step, Runnable committed) {
    if (underWay == null) {
      underWay = Promise.promise();
    }
    relayDriver.post(
        unit,
        new RelayDriver.Listener(
            dropped -> {
              environment.node().counters().turns.increment();
              environment.node().counters().sent.add(sent(unit) - dropped);
              try {
                reportOutcome(step, new Result.Committed());
                committed.run();
              } finally {
                settle(() -> committed(unit, step));
              }
            },
            (result, full) -> settle(() -> notCommitted(unit, step, result, full)),
            step != null && step.hasDirect() ? () -> settle(() -> takeBack(step)) : null));
  }

  /**
   * Takes back turns of bypass messages, whose senders are not to wait for room elsewhere: they are
   * committed again as stored mail.
   */
  private void takeBack(TurnStep.CommitTurns step) {
    loop.takeBack(step);
    goOn.run();
  }

  /** Ends the commit under way, then runs {@code then}. */
  private void settle(Runnable then) {
    Promise<Void> settled = underWay;
    underWay = null;
    try {
      then.run();
    } catch (RuntimeException | Error e) {
      owner.crashed(Kind.COMMIT, e);
    } finally {
      if (settled != null) {
        settled.complete();
      }
    }
  }

  private void committed(CommitUnit unit, TurnStep.@Nullable CommitTurns step) {
    if (over) {
      landed(step);
      return;
    }
    ActorRecord written = unit.write().orElseThrow().record();
    units.committed(written);
    if (isPersistent() && step != null) {
      if (step.turns().stream().anyMatch(handled -> handled.turn().wishesSnapshot())) {
        units.journal().wish();
      }
      snapshotWriter.committed(written, last(step.turns()));
    }
    owner.mailbox().meter().consumed(written.next());
    Throwable behind = loop.committed(written);
    if (behind != null) {
      owner.crashed(behind, true);
    } else if (step != null && CommitUnitBuilder.deletes(step.turns())) {
      owner.deleted();
    } else {
      goOn.run();
    }
  }

  /** Reports the outcome to the senders of bypass messages. */
  private void reportOutcome(TurnStep.@Nullable CommitTurns step, Result result) {
    if (step != null) {
      loop.direct().committed(step.turns(), result);
    }
  }

  private void landed(TurnStep.@Nullable CommitTurns step) {
    if (step != null) {
      loop.landed(step, new IllegalStateException(path() + " ended before it handled this"));
    }
  }

  private void notCommitted(
      CommitUnit unit,
      TurnStep.@Nullable CommitTurns step,
      Result result,
      Optional<ActorPath> full) {
    if (full.isEmpty() && !(result instanceof Result.Failed)) {
      landed(step); // the outcome is unknown
      reportOutcome(step, result);
      return;
    }
    unit.outgoing()
        .forEach((to, mail) -> mail.forEach(each -> environment.blobs().forsake(to, each)));
    if (full.isPresent()) {
      failed(step, CallboardException.mailboxFull(full.get()), true);
    } else if (result instanceof Result.Failed failed) {
      failed(step, failed);
    }
  }

  private void failed(TurnStep.@Nullable CommitTurns step, Result.Failed failed) {
    Throwable cause = CommitFailures.cause("a turn of " + path(), failed);
    inVain(step, cause);
    if (!over && !CommitFailures.givesUp(environment::fenced, path(), failed)) {
      crashed(cause, NOT_AS_THEY_ARE.contains(failed.reason()));
    }
  }

  /**
   * @param refused whether the turns cannot be committed as they are
   */
  private void failed(TurnStep.@Nullable CommitTurns step, Throwable cause, boolean refused) {
    inVain(step, cause);
    if (!over) {
      crashed(cause, refused);
    }
  }

  private void crashed(Throwable cause, boolean refused) {
    boolean attempt = refused && loop.isAttempt();
    owner.crashed(
        Kind.COMMIT, cause, attempt); // first: it asks the loop what is lost with this life
    if (refused) {
      environment.node().counters().failed.increment();
      loop.refused(cause);
    }
  }

  /**
   * Handles turns that were not committed: mail is still in the mailbox, but the actor's messages
   * to itself are lost.
   */
  private void inVain(TurnStep.@Nullable CommitTurns step, Throwable cause) {
    if (step == null) {
      return;
    }
    loop.notCommitted(step, cause);
    loop.direct().notCommitted(step.turns());
    step.turns().stream()
        .flatMap(HandledMessage::told)
        .forEach(
            own -> environment.actors().deadLetters().add(path(), path(), own.message(), cause));
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
