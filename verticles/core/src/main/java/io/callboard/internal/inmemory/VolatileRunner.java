package io.callboard.internal.inmemory;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.Priority;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.mailbox.VolatileMailbox;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.LocalActor;
import io.callboard.internal.messaging.Termination;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zone;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a volatile actor over all its lives. While it is down its mail waits, in order, within the
 * mailbox's limit.
 */
public final class VolatileRunner extends ActorRunner implements VolatileTurns.Owner, LocalActor {
  private static final Logger log = LoggerFactory.getLogger(VolatileRunner.class);
  private static final Future<Void> TAKEN = Future.succeededFuture();

  private final Supplier<? extends Actor<?>> factory;
  private final VolatileMailbox mailbox;
  private final Zone zone;
  private final AtomicReference<@Nullable VolatileTurns> life = new AtomicReference<>();
  private @Nullable VolatileTurns begun;
  private @Nullable Stash stash;
  private Future<Void> busy = TAKEN;
  private volatile String type = "";
  private @Nullable FirstStart first;
  private volatile boolean held;
  private volatile boolean stopped;

  /** Whether the supervisor has state of this actor. */
  private volatile boolean known;

  private volatile boolean ended;

  /** First start of an actor, begun by its supervisor. */
  private record FirstStart(Actor<?> object, Promise<Void> over) {}

  public VolatileRunner(
      ActorEnvironment environment,
      Supervisor supervisor,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    super(environment, supervisor, self, options);
    this.factory = factory;
    this.mailbox =
        new VolatileMailbox(options.mailboxLimit(), options.whenFull() == WhenFull.DROP_OLDEST);
    this.zone = environment.zones().zone(options.zone());
  }

  /** Begins the first life when the supervisor decides to. */
  public Future<Void> startInZone(Actor<?> object) {
    FirstStart begins = new FirstStart(object, Promise.promise());
    synchronized (this) {
      first = begins;
      held = true;
    }
    supervisor.add(this);
    return begins.over().future();
  }

  /** Begins a life with a new object of the factory's. */
  @SuppressWarnings("unchecked")
  public Future<Void> start(Actor<?> object) {
    Actor<Object> actor = (Actor<Object>) object;
    type = actor.getClass().getName();
    VolatileActorContext scope =
        new VolatileActorContext(
            environment, self, this::stash, this::wake, this::offerOwn, this::refusedCall);
    ActorInstance actorInstance =
        new ActorInstance(environment, supervisor, actor, options, scope, this::failedOutside);
    VolatileTurns turns =
        new VolatileTurns(
            environment.node(), environment.host(), this, actorInstance, scope, mailbox);
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (isToEnd()) {
        return Future.failedFuture(stoppedCause());
      }
      busy = over.future();
      begun = turns;
    }
    return actorInstance
        .start()
        .transform(
            up -> up.succeeded() ? started(turns, over) : notStarted(turns, up.cause(), over));
  }

  /**
   * Handles a start that succeeded.
   *
   * @param over completed when nothing of the start is under way
   */
  private Future<Void> started(VolatileTurns turns, Promise<Void> over) {
    boolean lives;
    synchronized (this) {
      lives = !isToEnd();
      begun = null;
      if (lives) {
        life.set(turns);
        history.is(State.RUNNING);
        if (known || isInZone()) {
          supervisor.started(this);
        }
        environment.groups().joined(self.path(), false, options);
      }
    }
    if (!lives) {
      return turns
          .close()
          .transform(
              done -> {
                over.complete();
                return Future.failedFuture(stoppedCause());
              });
    }
    free(over);
    over.complete();
    turns.begin(stashed() > 0 || !mailbox.isEmpty());
    return TAKEN;
  }

  /** Marks the runner free for the next life, before {@code over} is completed. */
  private synchronized void free(Promise<Void> over) {
    if (busy == over.future()) {
      busy = TAKEN;
    }
  }

  /**
   * Handles a failed start: ends what it had begun before it is tried again, which does not delay
   * the failure's report.
   */
  private Future<Void> notStarted(VolatileTurns turns, Throwable cause, Promise<Void> over) {
    if (isToEnd()) {
      turns.boundStart();
    } else {
      history.failed(TimedOut.ofStart(cause), cause);
    }
    Future<Void> gone = turns.gone();
    Future<Void> told = gone.isComplete() ? over.future() : TAKEN;
    gone.compose(v -> turns.close())
        .onComplete(
            done -> {
              synchronized (this) {
                begun = null;
              }
              supervise(over, cause);
              over.complete();
              history.explain();
            });
    return told.transform(done -> startFailed(cause));
  }

  private Future<Void> startFailed(Throwable cause) {
    return Future.failedFuture(
        isToEnd() ? stoppedCause() : CallboardException.startFailed(path(), cause));
  }

  /**
   * Marks the runner free and reports the failure in one step: otherwise a caller that ends the
   * runner in between could begin the next life, which has not failed.
   */
  private synchronized void supervise(Promise<Void> over, Throwable cause) {
    free(over);
    supervise(cause);
  }

  private synchronized void supervise(Throwable cause) {
    if (!isToEnd()) {
      known = true;
      supervisor.failed(this, cause);
    }
  }

  /** Whether the actor was stopped, or its supervisor wants it down. */
  private boolean isToEnd() {
    return stopped || held;
  }

  private void offerOwn(Delivery own) {
    Future<Void> taken = put(own, Priority.NORMAL);
    if (taken != TAKEN) {
      taken.onFailure(cause -> lose(own, cause));
    }
  }

  /** Reports a call that belongs to no turn. Any thread. */
  private void refusedCall(IllegalStateException cause) {
    environment.refusedCalls().add(cause, () -> history.noted(Kind.OUTSIDE, cause));
  }

  /** The stash, made at first use. On the actor's context, or while the actor has none. */
  private Stash stash() {
    if (stash == null) {
      stash = new Stash(self.path(), options.mailboxLimit());
    }
    return stash;
  }

  private int stashed() {
    Stash now = stash;
    return now == null ? 0 : now.size();
  }

  @Override
  public @Nullable Object unstashed() {
    return stash == null ? null : stash.poll();
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public @Nullable Termination howEnded() {
    if (ended) {
      return stopped();
    }
    String why = history.whyDown();
    return why == null ? null : new Termination(why, restsBy());
  }

  private Termination stopped() {
    Failure own = history.fatal();
    boolean ofZone = own == null && supervisor instanceof FailureZoneRunner;
    return new Termination(
        "it was stopped", ofZone ? ((FailureZoneRunner) supervisor).endedBy() : own);
  }

  @Override
  public Future<Void> offer(Object item, Priority priority) {
    return zone.isShut()
        ? Future.failedFuture(CallboardException.zoneFull(self.path(), zone.name()))
        : put(item, priority);
  }

  @Override
  public @Nullable ProtocolCodec<Object> codec() {
    VolatileTurns now = life.get();
    return now == null ? null : now.codec();
  }

  private Future<Void> put(Object item, Priority priority) {
    if (stopped) {
      return Future.failedFuture(stoppedCause());
    }
    Object noPlace = mailbox.offer(item, priority);
    if (noPlace == item) {
      return Future.failedFuture(CallboardException.mailboxFull(self.path(), mailbox.limit()));
    }
    wake();
    if (noPlace != null) {
      lose(noPlace, CallboardException.mailboxFull(self.path(), mailbox.limit()));
    }
    if (ended) {
      loseAll();
    }
    return TAKEN;
  }

  /** Wakes the present life; mail that it does not handle any more waits for the next one. */
  private void wake() {
    VolatileTurns now = life.get();
    if (now != null) {
      now.wake();
    }
  }

  @Override
  public void handled(int count) {
    history.handled(count);
    environment.node().counters().handled.add(count);
  }

  @Override
  public void overdue(Delivery delivery) {
    lose(delivery, CallboardException.overdue(self.path()));
  }

  /** Handles a failure outside of the handlers: in a timer of the user's, a forgotten future. */
  private void failedOutside(Throwable cause) {
    VolatileTurns now = life.get();
    if (now != null && supervisor.resumes(this, cause)) {
      goesOn(Kind.OUTSIDE, cause);
    } else if (now != null) {
      crashed(now, Kind.OUTSIDE, cause);
    } else {
      log.warn("{} failed outside of its handlers, between two lives", label(), cause);
    }
  }

  @Override
  public boolean failed(VolatileTurns failed, Kind kind, Throwable cause) {
    if (!supervisor.resumes(this, cause)) {
      crashed(failed, kind, cause);
      return false;
    }
    goesOn(kind, cause);
    failed.failCurrent(() -> Reply.handlerFailed(self.path(), cause));
    log.debug("a message of {} failed, and it goes on", label(), cause);
    return true;
  }

  private void failure(Kind kind, Throwable cause) {
    environment.node().counters().failed.increment();
    history.failed(kind, cause);
  }

  private void goesOn(Kind kind, Throwable cause) {
    failure(kind, cause);
    history.decided(Directive.RESUME, null);
    history.explain();
  }

  private void crashed(VolatileTurns crashed, Kind kind, Throwable cause) {
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (life.get() != crashed) {
        return; // a stop has it
      }
      life.set(null);
      busy = over.future();
    }
    crashed.end();
    failure(kind, cause);
    crashed.failCurrent(() -> Reply.handlerFailed(self.path(), cause));
    if (stash != null) {
      stash.outlive();
    }
    crashed
        .close()
        .onComplete(
            done -> {
              supervise(over, cause);
              over.complete();
              history.explain();
            });
  }

  /**
   * Escalates to the parent. The failure of an actor that is being stopped is taken and ignored,
   * even if its parent is gone by now.
   */
  @Override
  public boolean escalates(Throwable cause) {
    return stopped || super.escalates(cause);
  }

  @Override
  public void begin() {
    history.isWanted();
    beginNext();
  }

  private void beginNext() {
    FirstStart begins;
    synchronized (this) {
      if (stopped || life.get() != null) {
        return;
      }
      Future<Void> before = busy;
      if (!before.isComplete()) {
        before.onComplete(done -> beginAfter(before));
        return;
      }
      held = false;
      begins = takeFirst();
    }
    if (begins != null) {
      start(begins.object()).onComplete(begins.over());
      return;
    }
    history.restarted();
    Actor<?> next;
    try {
      next = Objects.requireNonNull(factory.get(), "the factory made no actor");
    } catch (RuntimeException | Error e) {
      history.failed(Kind.START, e);
      supervise(e);
      history.explain();
      return;
    }
    start(next).onFailure(NodeContext::reportedElsewhere);
  }

  /** Begins the next life after {@code before}, unless its end was requested meanwhile. */
  private void beginAfter(Future<Void> before) {
    boolean goesOn;
    synchronized (this) {
      goesOn = busy == before || busy == TAKEN;
    }
    if (goesOn) {
      beginNext();
    }
  }

  @Override
  public Future<Void> end() {
    return end(false);
  }

  @Override
  public Future<Void> stop() {
    return end(true);
  }

  private Future<Void> end(boolean forGood) {
    Promise<Void> over = Promise.promise();
    VolatileTurns now;
    VolatileTurns starts;
    Future<Void> before;
    synchronized (this) {
      before = busy;
      known = known || !forGood;
      if (stopped) {
        return before;
      }
      stopped = forGood;
      held = true;
      now = life.getAndSet(null);
      starts = begun;
      busy = over.future();
      if (!forGood) {
        history.isDown();
      }
    }
    if (starts != null) {
      starts.boundStart();
    }
    if (history.whyDown() != null) {
      environment
          .groups()
          .left(self.path()); // its start may have succeeded after it was told to rest
    }
    (now == null ? before : now.close())
        .onComplete(
            done -> {
              if (now != null) {
                now.failCurrent(this::stoppedCause);
              }
              if (forGood) {
                ended();
              } else if (now != null && stash != null) {
                stash.outlive();
              }
              over.complete();
            });
    return over.future();
  }

  @Override
  public Future<Void> done() {
    history.decided(Directive.STOP, null);
    return stopped ? busy() : environment.host().end(self.path());
  }

  private synchronized Future<Void> busy() {
    return busy;
  }

  @Override
  public long work() {
    return history.handled() - history.failed(); // one whose handler failed counts as handled
  }

  @Override
  public void fails(Throwable cause) {
    VolatileTurns starts;
    synchronized (this) {
      starts = begun;
    }
    if (starts != null) {
      starts.failStart(cause);
    } else {
      failedOutside(cause);
    }
  }

  @Override
  public void rest(String why, boolean asked) {
    super.rest(why, asked);
    environment.deathWatch().ended(this, () -> new Termination(why, restsBy()));
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    super.needs(resting);
    if (resting != null) {
      environment
          .deathWatch()
          .ended(this, () -> new Termination(ActorHistory.needing(resting), restsBy()));
    }
  }

  /** Stops handling messages; a stop follows. */
  public void halt() {
    VolatileTurns now = life.get();
    if (now != null) {
      now.end();
    }
  }

  private void ended() {
    history.is(State.STOPPED);
    boolean leaves = endedNow();
    environment.groups().left(self.path());
    loseAll();
    FirstStart never = takeFirst();
    if (never != null) {
      never.over().fail(stoppedCause());
    }
    if (leaves) {
      leaveSupervisor();
    }
    environment.host().ended(this);
    environment.deathWatch().ended(this, this::stopped);
  }

  /**
   * Records the end.
   *
   * @return whether the supervisor has state of this actor
   */
  private synchronized boolean endedNow() {
    ended = true;
    return known || isInZone();
  }

  @Override
  public synchronized boolean becomesKnown() {
    known = known || !ended;
    return !ended;
  }

  private synchronized @Nullable FirstStart takeFirst() {
    FirstStart taken = first;
    first = null;
    return taken;
  }

  private void lose(Object item, Throwable why) {
    environment.deadLetters().lose(path(), item, why);
  }

  /** Turns all remaining mail into dead letters; a concurrent sender does the same. */
  private synchronized void loseAll() {
    CallboardException why = stoppedCause();
    if (stash != null) {
      stash.release();
      for (Object left = stash.poll(); left != null; left = stash.poll()) {
        lose(left, why);
      }
    }
    for (Object left = mailbox.poll(); left != null; left = mailbox.poll()) {
      if (left instanceof Delivery delivery && delivery.endsWithItsLife()) {
        delivery.lost(why);
      } else {
        lose(left, why);
      }
    }
  }

  @Override
  public ActorStatus status() {
    VolatileTurns now = life.get();
    Record details = now == null ? null : now.statusDetails();
    return history.status(
        self.path(), type, false, options.zone(), mailbox.size() + stashed(), null, details, null);
  }
}
