package io.callboard.internal.durable;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.DeliveryMode;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.ownership.RunConditions;
import io.callboard.internal.recovery.ActorLoader;
import io.callboard.internal.recovery.RequestedRedo;
import io.callboard.internal.recovery.StopMark;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lives of one durable actor on this node, one at a time: a life begins when {@link
 * RunConditions} allow it and nothing is left of the one before, and ends with a crash, a deletion,
 * a redo or its runner's decision. The turn loop is one over all lives.
 *
 * <p>All state is owned by the durable context, where every method is called. A future of {@link
 * DurableStart} or of a life's end may complete on any thread: its outcome is brought back to the
 * durable context, and the conditions are checked again there, since the partition may be another
 * node's by then.
 */
final class DurableLives implements DurableTurns.Owner {
  private final DurableEnvironment environment;
  private final NodeContext node;
  private final ActorRefImpl<?> self;
  private final ActorHistory history;
  private final RunConditions conditions;
  private final LifeReports reports;
  private final StopMark stop;
  private final DurableMailbox mailbox;
  private final TurnLoop loop;
  private final ActorLoader loader;
  private final @Nullable Consumer<StoredRecord> left;
  private final DurableStart starts;
  private final RequestedRedo redo;
  private final Promise<Void> firstStart = Promise.promise();
  private @Nullable DurableTurns life;
  private boolean starting;
  private boolean givenUp;
  private Future<Void> landing = Future.succeededFuture();
  private Future<Void> before;

  /**
   * @param before completes when nothing is left of an earlier actor of this path; never fails
   */
  DurableLives(
      DurableEnvironment environment,
      ActorRunner runner,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      RunConditions conditions,
      LifeReports reports,
      StopMark stop,
      ActorLoader loader,
      Future<Void> before,
      @Nullable Consumer<StoredRecord> left) {
    this.environment = environment;
    this.node = environment.node();
    this.self = self;
    this.history = runner.history();
    this.conditions = conditions;
    this.reports = reports;
    this.stop = stop;
    this.before = before;
    this.left = left;
    this.mailbox = new DurableMailbox(environment, self.path(), options, this::readable, this::run);
    this.loop = mailbox.loop();
    this.redo = new RequestedRedo(node, self.path(), options.archived());
    this.loader = loader;
    this.starts =
        new DurableStart(
            environment, runner.supervisor(), this, factory, options, history, loader, redo);
  }

  /** Completes with the first start, or fails with it. */
  Future<Void> firstStart() {
    return firstStart.future();
  }

  @Override
  public DurableMailbox mailbox() {
    return mailbox;
  }

  /** Starts of lives; {@link DurableStart#type} may be called on any thread. */
  DurableStart starts() {
    return starts;
  }

  /** Returns the present life, from the end of its start; null if there is none. */
  @Nullable DurableTurns life() {
    return life;
  }

  /** Returns whether there is a life. */
  boolean isUp() {
    return life != null;
  }

  /** Returns whether a life runs and has nothing to do or to send. */
  boolean isIdle() {
    return life != null && loop.idle() && !life.hasOutgoing();
  }

  /**
   * Quiesces the present life: commits handled messages and begins nothing new. Completes when that
   * is done, or the life has ended.
   */
  Future<Void> quiet() {
    if (life == null) {
      return Future.succeededFuture();
    }
    Future<Void> quiet = life.rest();
    run();
    return quiet;
  }

  /** Continues the loop, which may have a new decision to make. */
  void run() {
    if (life != null) {
      life.run();
    }
  }

  private List<Envelope> readable(List<Envelope> given) {
    return life == null ? given : life.readable(given);
  }

  // Begin of a life.

  /** Begins a life, unless one is up or starting or the conditions do not allow it. */
  void activate() {
    Lease owned = conditions.toStart();
    if (owned == null || starting) {
      return;
    } else if (!landing.isComplete() || !before.isComplete()) {
      Future.join(landing, before).onComplete(v -> node.onDurableContext(this::activateUnlessUp));
      return;
    }
    starting = true;
    loop.doorbell().loads();
    loader
        .load(owned, () -> conditions.allow(owned))
        .onComplete(read -> ended(read, () -> launch(read.result(), owned)));
  }

  private void activateUnlessUp() {
    if (life == null) {
      activate();
    }
  }

  private void launch(Loaded loaded, Lease owned) {
    if (!conditions.allow(owned)) {
      loader.doneReading();
      activate(); // what was read may be another node's by now
      return;
    }
    starting = true;
    Promise<Void> over = Promise.promise();
    before = over.future();
    int stay = mailbox.stay();
    starts
        .launch(loaded, over)
        .onComplete(up -> ended(up, () -> started(up.result(), loaded, owned, stay, over)));
  }

  /** Handles the end of one part of a start. */
  private void ended(AsyncResult<?> part, Runnable then) {
    node.onDurableContext(
        () -> {
          boolean wasGivenUp = givenUp;
          starting = false;
          givenUp = false;
          if (part.succeeded()) {
            then.run();
          } else if (wasGivenUp) {
            activate(); // if this node owns it again
          } else {
            notUp(part.cause());
          }
        });
  }

  private void notUp(Throwable cause) {
    if (cause instanceof StopMark.Stopped && stop.isLifted()) {
      activate(); // it was resumed since its record was read
    } else if (cause instanceof StopMark.Stopped) {
      firstStart.tryComplete();
      redo.report();
      reports.foundStopped();
    } else if (redo.giveUp(TransientFailure.why(cause))) {
      activate(); // as it was
    } else {
      failedStart(cause);
    }
  }

  /**
   * @param over to be completed when nothing of the start is under way
   */
  private void started(DurableTurns now, Loaded loaded, Lease owned, int stay, Promise<Void> over) {
    if (!conditions.allow(owned) || stay != mailbox.stay()) {
      now.end().onComplete(done -> over.complete());
      activate();
      return;
    }
    over.complete();
    life = now;
    stop.began();
    try {
      mailbox.load(loaded);
    } catch (IllegalStateException e) {
      crashed(Kind.START, e);
      return;
    }
    history.is(State.RUNNING);
    reports.began();
    firstStart.tryComplete();
    redo.report();
    mailbox.busy();
    now.begin();
    if (path().isRole()) {
      environment.events().serving(path(), owned);
    }
  }

  /** Records a start that failed, also before it began: the partition cannot be owned. */
  void failedStart(Throwable cause) {
    history.failed(TimedOut.ofStart(cause), cause);
    firstStart.tryFail(CallboardException.startFailed(path(), TransientFailure.why(cause)));
    redo.report();
    if (conditions.isToRun()) {
      reports.failed(cause, false);
    } else {
      starts.boundLast();
    }
    history.explain();
  }

  // End of a life.

  @Override
  public void crashed(Throwable cause, boolean attempt) {
    DurableTurns crashed = life;
    if (crashed == null || conditions.isStopped()) {
      return;
    }
    mailbox.loseOwn(false, cause);
    unload(crashed, cause);
    end().onComplete(v -> node.onDurableContext(() -> restartAfter(cause, attempt)));
  }

  /** Ends the loop's part of a life; what at-most-once turns have consumed is settled first. */
  private void unload(DurableTurns ending, Throwable cause) {
    loop.unload(cause);
    if (loop.delivery() == DeliveryMode.AT_MOST_ONCE) {
      landing = ending.settled(); // what it consumed is handled by the next life, or not
    }
  }

  private void restartAfter(Throwable cause, boolean attempt) {
    if (life == null && conditions.isToRun()) {
      reports.failed(cause, attempt);
    }
    history.explain();
  }

  @Override
  public void crashed(Kind kind, Throwable cause, boolean attempt) {
    if (life != null && !conditions.isStopped()) {
      history.failed(TimedOut.unlessInterrupted(kind, cause), cause);
      crashed(cause, attempt);
    }
  }

  @Override
  public void failedOutside(Throwable cause) {
    if (life != null && !conditions.isStopped()) {
      node.counters().failed.increment();
      crashed(Kind.OUTSIDE, cause);
    }
  }

  /** Fails the present life, or the start under way. */
  void fail(Throwable cause) {
    if (life == null) {
      starts.failLast(cause);
    } else {
      failedOutside(cause);
    }
  }

  @Override
  public void deleted() {
    if (life == null || conditions.isStopped()) {
      return;
    }
    CallboardException gone = CallboardException.deleted(path());
    mailbox.loseOwn(true, gone);
    Optional<StoredRecord> remains = left == null ? Optional.empty() : remains();
    if (left != null && remains.isPresent()) {
      left.accept(remains.get()); // which stops it
      return;
    }
    loop.unload(gone);
    end().onComplete(v -> node.onDurableContext(this::activateUnlessUp));
  }

  /** Returns the record of a deleted actor, if nothing else is left of it and nothing waits. */
  Optional<StoredRecord> remains() {
    return isIdle()
            && starts.isEmpty()
            && loop.record().begun() > 0
            && loop.record().snapshots().isEmpty()
        ? Optional.of(new StoredRecord(loop.record(), loop.version()))
        : Optional.empty();
  }

  /**
   * Ends {@code now}, the present life; the next one makes the state as an operator wants it.
   * Completes when that is durable; if it cannot be, the actor goes on as before.
   */
  Future<Void> redo(DurableTurns now, Redo wanted) {
    CallboardException why = CallboardException.stopped("the life before of " + path());
    mailbox.loseOwn(false, why);
    unload(now, why);
    Future<Void> ended = end();
    Future<Void> done = redo.request(wanted);
    ended.onComplete(v -> node.onDurableContext(this::activateUnlessUp));
    return done;
  }

  /** Drops what the present life holds, as its supervisor ends it; {@link #end} follows. */
  void interrupt(Throwable why) {
    mailbox.loseOwn(false, why);
    if (life != null) {
      unload(life, why);
    }
  }

  /** Drops what is here of an actor that another node owns, or will; {@link #end} follows. */
  void disown(Throwable gone) {
    mailbox.loseOwn(true, gone);
    loop.disowned(gone);
    firstStart.tryComplete();
  }

  /** Ends the present life or start for good. Completes as {@link #end}. */
  Future<Void> stop(Throwable why) {
    mailbox.loseOwn(true, why);
    loop.stop(why);
    firstStart.tryFail(why);
    return end();
  }

  /** Ends the present life or start. Completes when nothing of it is under way; never fails. */
  Future<Void> end() {
    givenUp = starting;
    boolean unused =
        redo.giveUp(CallboardException.stopped("%s, before that was durable,".formatted(path())));
    redo.report();
    starts.boundLast();
    DurableTurns now = life;
    life = null;
    if (now != null) {
      before = now.end().otherwiseEmpty(); // what goes wrong is logged there
    }
    return before;
  }

  /** Completes when nothing of the last life or start is under way; never fails. */
  Future<Void> gone() {
    return before;
  }

  /**
   * Runs {@code task} when nothing of the last life is under way, and before the next one begins.
   *
   * @param task called on the durable context; its future never fails
   */
  void beforeNext(Supplier<Future<Void>> task) {
    before = before.transform(v -> node.fromDurableContext(Promise.promise(), task));
  }

  @Override
  public ActorRefImpl<?> self() {
    return self;
  }

  @Override
  public Lease lease() {
    return conditions.requireLease();
  }

  private ActorPath path() {
    return self.path();
  }
}
