package io.callboard.turn;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.CallboardException;
import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.VolatileMailbox;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.Zone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
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
final class VolatileRunner implements Runner, VolatileTurns.Owner {
  private static final Logger log = LoggerFactory.getLogger(VolatileRunner.class);
  private static final Future<Void> TAKEN = Future.succeededFuture();

  private final CallboardRuntime runtime;
  private final Ref<?> self;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final VolatileMailbox mailbox;
  private final Zone zone;
  private final History history;
  private final AtomicReference<@Nullable VolatileTurns> life = new AtomicReference<>();
  private @Nullable VolatileTurns begun;
  private @Nullable Stash stash;
  private Future<Void> busy = TAKEN;
  private volatile String type = "";
  private volatile boolean stopped;
  private volatile boolean ended;

  VolatileRunner(
      CallboardRuntime runtime,
      Ref<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    this.runtime = runtime;
    this.self = self;
    this.factory = factory;
    this.options = options;
    this.mailbox = new VolatileMailbox(options.mailboxLimit(), options.dropsOldest());
    this.zone = runtime.zoneRegistry().zone(options.zone());
    this.history = new History(runtime.clock());
  }

  /**
   * The first start.
   *
   * @param first made by the factory, and not started yet
   */
  Future<Void> start(Actor<?> first) {
    return launch(first);
  }

  @SuppressWarnings("unchecked")
  private Future<Void> launch(Actor<?> object) {
    Actor<Object> actor = (Actor<Object>) object;
    type = actor.getClass().getName();
    VolatileScope scope = new VolatileScope(runtime, self, this::stash, this::wake, this::offerOwn);
    Incarnation incarnation = new Incarnation(runtime, actor, options, scope, this::failedOutside);
    VolatileTurns turns = new VolatileTurns(runtime, this, incarnation, scope, mailbox);
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (stopped) {
        return Future.failedFuture(stoppedCause());
      }
      busy = over.future();
      begun = turns;
    }
    return incarnation
        .start()
        .transform(
            up -> up.succeeded() ? started(turns, over) : notStarted(turns, up.cause(), over));
  }

  /**
   * @param over to be completed when nothing of the start is under way
   */
  private Future<Void> started(VolatileTurns turns, Promise<Void> over) {
    boolean lives;
    synchronized (this) {
      lives = !stopped;
      begun = null;
      if (lives) {
        life.set(turns);
        runtime.groups().joined(self.path(), false, options);
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
    history.is(State.RUNNING);
    if (history.hasFailed()) {
      runtime.supervisor().started(this);
    }
    free(over);
    over.complete();
    turns.begin(stashed() > 0 || !mailbox.isEmpty());
    return TAKEN;
  }

  /** Nothing that {@code over} is the end of is under way, though that is not told yet. */
  private synchronized void free(Promise<Void> over) {
    if (busy == over.future()) {
      busy = TAKEN;
    }
  }

  /**
   * What it had begun ends before it is tried again; who waits for it is told no later for that.
   */
  private Future<Void> notStarted(VolatileTurns turns, Throwable cause, Promise<Void> over) {
    if (stopped) {
      turns.boundStart();
    } else {
      history.failed(cause);
    }
    Future<Void> gone = turns.gone();
    Future<Void> told = gone.isComplete() ? over.future() : TAKEN;
    gone.compose(v -> turns.close())
        .onComplete(
            done -> {
              synchronized (this) {
                begun = null;
              }
              free(over);
              supervise(cause);
              over.complete();
            });
    return told.transform(done -> startFailed(cause));
  }

  private Future<Void> startFailed(Throwable cause) {
    return Future.failedFuture(
        stopped
            ? stoppedCause()
            : new CallboardException(
                CallboardException.Code.START_FAILED,
                "%s could not be started: %s".formatted(self.path(), cause.getMessage()),
                cause));
  }

  /** Before a stop that comes at this moment has it forgotten, or not at all. */
  private synchronized void supervise(Throwable cause) {
    if (!stopped) {
      runtime.supervisor().failed(this, cause);
    }
  }

  private void offerOwn(Delivery own) {
    Future<Void> taken = put(own, Priority.NORMAL);
    if (taken != TAKEN) {
      taken.onFailure(cause -> lose(own, cause));
    }
  }

  /** On the actor's context, or when it has none. */
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

  boolean isStopped() {
    return stopped;
  }

  /** Why it runs no more; null if it runs, or will again. */
  @Nullable String end() {
    return ended
        ? "it was stopped"
        : history.state() == State.FAILED ? "its supervisor gave it up" : null;
  }

  /** Puts a message or {@link Delivery} of somebody else into the mailbox; from any thread. */
  Future<Void> offer(Object item, Priority priority) {
    return zone.isShut()
        ? Future.failedFuture(CallboardException.zoneFull(self.path(), zone.name()))
        : put(item, priority);
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

  /** There is mail; if the life ends at this moment, the next one finds that at its start. */
  private void wake() {
    VolatileTurns now = life.get();
    if (now != null) {
      now.wake();
    }
  }

  @Override
  public void handled(int count) {
    history.handled(count);
    runtime.counters().handled.add(count);
  }

  @Override
  public void overdue(Delivery delivery) {
    lose(delivery, CallboardException.overdue(self.path()));
  }

  /** Something of the actor's failed that is no handler: a timer of its own, a forgotten future. */
  private void failedOutside(Throwable cause) {
    VolatileTurns now = life.get();
    if (now != null) {
      crashed(now, cause);
    } else {
      log.warn("{} failed outside of its handlers, between two lives", label(), cause);
    }
  }

  @Override
  public void crashed(VolatileTurns crashed, Throwable cause) {
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (life.get() != crashed) {
        return; // a stop has it
      }
      life.set(null);
      busy = over.future();
    }
    crashed.end();
    runtime.counters().failed.increment();
    history.failed(cause);
    crashed.failCurrent(CallboardRuntime.handlerFailed(self.path(), cause));
    if (stash != null) {
      stash.outlive();
    }
    crashed
        .close()
        .onComplete(
            done -> {
              over.complete();
              supervise(cause);
            });
  }

  @Override
  public void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void restart() {
    synchronized (this) {
      if (stopped || life.get() != null || !busy.isComplete()) {
        return;
      }
    }
    history.restarted();
    Actor<?> next;
    try {
      next = Objects.requireNonNull(factory.get(), "the factory made no actor");
    } catch (RuntimeException | Error e) {
      history.failed(e);
      supervise(e);
      return;
    }
    launch(next).onFailure(CallboardRuntime::reportedElsewhere);
  }

  @Override
  public void rest(String why) {
    history.is(State.FAILED);
    runtime.groups().left(self.path());
    runtime.watches().ended(this, why);
  }

  @Override
  public SupervisionOptions supervision() {
    return options.supervision();
  }

  @Override
  public ActorPath path() {
    return self.path();
  }

  /** Handles nothing more; a stop follows. */
  void halt() {
    VolatileTurns now = life.get();
    if (now != null) {
      now.end();
    }
  }

  @Override
  public Future<Void> stop() {
    Promise<Void> over = Promise.promise();
    VolatileTurns now;
    VolatileTurns starts;
    Future<Void> before;
    synchronized (this) {
      before = busy;
      if (stopped) {
        return before;
      }
      stopped = true;
      now = life.getAndSet(null);
      starts = begun;
      busy = over.future();
    }
    if (history.hasFailed()) {
      runtime.supervisor().forget(this);
    }
    if (starts != null) {
      starts.boundStart();
    }
    (now == null ? before : now.close())
        .onComplete(
            done -> {
              ended(now);
              over.complete();
            });
    return over.future();
  }

  private void ended(@Nullable VolatileTurns last) {
    history.is(State.STOPPED);
    if (last != null) {
      last.failCurrent(stoppedCause());
    }
    ended = true;
    runtime.groups().left(self.path());
    loseAll();
    runtime.actors().ended(this);
    runtime.watches().ended(this, "it was stopped");
  }

  /** Nobody will handle what is left; who offers at this moment does the same. */
  private synchronized void loseAll() {
    if (stash == null && mailbox.isEmpty()) {
      return;
    }
    CallboardException why = stoppedCause();
    if (stash != null) {
      stash.release();
    }
    for (Object left = unstashed(); left != null; left = unstashed()) {
      lose(left, why);
    }
    for (Object left = mailbox.poll(); left != null; left = mailbox.poll()) {
      if (!(left instanceof Delivery delivery && delivery.endsWithItsLife())) {
        lose(left, why);
      }
    }
  }

  private void lose(Object item, Throwable why) {
    Delivery lost = Delivery.from(item);
    lost.lost(why);
    runtime.deadLetters().add(self.path(), null, lost.message(), why);
  }

  private CallboardException stoppedCause() {
    return CallboardException.stopped("actor " + self.path());
  }

  @Override
  public State state() {
    return history.state();
  }

  @Override
  public ActorStatus status() {
    return history.status(
        self.path(), runtime.node(), type, false, options.zone(), mailbox.size() + stashed(), null);
  }
}
