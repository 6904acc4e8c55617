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
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a volatile actor over all its lives. While it is down its mail waits, in order, within the
 * mailbox's limit.
 */
final class VolatileRunner implements Runner, VolatileTurns.Owner {
  private static final Future<Void> TAKEN = Future.succeededFuture();

  private final CallboardRuntime runtime;
  private final Ref<?> self;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final VolatileMailbox mailbox;
  private final History history;
  private final AtomicReference<@Nullable VolatileTurns> life = new AtomicReference<>();
  private @Nullable Stash stash;
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
    VolatileScope scope = new VolatileScope(runtime, self, this::stash, this::offerOwn);
    Incarnation incarnation = new Incarnation(actor, options, this::crashed);
    VolatileTurns turns = new VolatileTurns(runtime, this, incarnation, scope, mailbox);
    return incarnation
        .start(runtime.vertx(), runtime.zoneRegistry(), scope)
        .compose(up -> started(turns), this::failedStart);
  }

  private Future<Void> started(VolatileTurns turns) {
    if (stopped) {
      return turns.incarnation().end(runtime.vertx(), runtime.zoneRegistry());
    }
    life.set(turns);
    history.is(State.RUNNING);
    if (history.hasFailed()) {
      runtime.supervisor().started(this);
    }
    if ((stashed() > 0 || !mailbox.isEmpty()) && mailbox.wake()) {
      turns.schedule();
    }
    return TAKEN;
  }

  private <T> Future<T> failedStart(Throwable cause) {
    history.failed(cause);
    runtime.supervisor().failed(this, cause);
    return Future.failedFuture(
        new CallboardException(
            CallboardException.Code.START_FAILED,
            "%s could not be started: %s".formatted(self.path(), cause.getMessage()),
            cause));
  }

  private void offerOwn(Delivery own) {
    Future<Void> taken = offer(own, Priority.NORMAL);
    if (taken != TAKEN) {
      taken.onFailure(cause -> runtime.deadLetter(self.path(), own.message(), cause));
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

  /** Puts a message or {@link Delivery} into the mailbox; from any thread. */
  Future<Void> offer(Object item, Priority priority) {
    if (stopped) {
      return Future.failedFuture(stoppedCause());
    }
    Object noPlace = mailbox.offer(item, priority);
    if (noPlace == item) {
      return Future.failedFuture(CallboardException.mailboxFull(self.path(), mailbox.limit()));
    }
    VolatileTurns now = life.get();
    if (now != null && mailbox.wake()) {
      schedule(now);
    }
    if (noPlace != null) {
      lose(noPlace, CallboardException.mailboxFull(self.path(), mailbox.limit()));
    }
    if (ended) {
      loseAll();
    }
    return TAKEN;
  }

  private void schedule(VolatileTurns now) {
    if (life.get() == now) {
      now.schedule();
      return;
    }
    // It failed after the sender saw it alive: the next life schedules itself.
    mailbox.rest();
    VolatileTurns next = life.get();
    if (next != null && !mailbox.isEmpty() && mailbox.wake()) {
      schedule(next);
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

  @Override
  public void crashed(Throwable cause) {
    VolatileTurns now = life.getAndSet(null);
    if (now == null || stopped) {
      return;
    }
    now.end();
    runtime.counters().failed.increment();
    history.failed(cause);
    now.failCurrent(CallboardRuntime.handlerFailed(self.path(), cause));
    if (stash != null) {
      stash.release();
    }
    end(now).onComplete(done -> runtime.supervisor().failed(this, cause));
  }

  private Future<Void> end(VolatileTurns now) {
    now.scope().close();
    mailbox.rest();
    return runtime
        .actors()
        .stopChildren(self.path())
        .compose(done -> now.incarnation().end(runtime.vertx(), runtime.zoneRegistry()));
  }

  @Override
  public void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void restart() {
    if (stopped) {
      return;
    }
    history.restarted();
    Actor<?> next;
    try {
      next = factory.get();
    } catch (RuntimeException e) {
      this.<Void>failedStart(e).onFailure(CallboardRuntime::reportedElsewhere);
      return;
    }
    launch(next).onFailure(CallboardRuntime::reportedElsewhere);
  }

  @Override
  public void rest(String why) {
    history.is(State.FAILED);
    runtime.watches().ended(self.path(), why);
  }

  @Override
  public SupervisionOptions supervision() {
    return options.supervision();
  }

  @Override
  public ActorPath path() {
    return self.path();
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    if (history.hasFailed()) {
      runtime.supervisor().forget(this);
    }
    VolatileTurns now = life.getAndSet(null);
    if (now != null) {
      now.end();
    }
    return (now == null ? TAKEN : end(now)).onComplete(done -> ended(now));
  }

  private void ended(@Nullable VolatileTurns last) {
    history.is(State.STOPPED);
    if (last != null) {
      last.failCurrent(stoppedCause());
    }
    ended = true;
    loseAll();
    runtime.watches().ended(self.path(), "it was stopped");
  }

  /** Nobody will handle what is left; who offers at this moment does the same. */
  private synchronized void loseAll() {
    CallboardException why = stoppedCause();
    if (stash != null) {
      stash.release();
    }
    for (Object left = unstashed(); left != null; left = unstashed()) {
      lose(left, why);
    }
    for (Object left = mailbox.poll(); left != null; left = mailbox.poll()) {
      lose(left, why);
    }
  }

  private void lose(Object item, CallboardException why) {
    Delivery lost = Delivery.from(item);
    lost.reply().fail(why);
    runtime.deadLetter(self.path(), lost.message(), why);
  }

  private CallboardException stoppedCause() {
    return CallboardException.stopped("actor " + self.path());
  }

  @Override
  public ActorStatus status() {
    return history.status(
        self.path(), runtime.node(), type, false, options.zone(), mailbox.size() + stashed(), null);
  }
}
