package io.callboard.internal.inmemory;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lives of a volatile actor, one after the other: starts and ends them. At most one start or end is
 * under way; the next one waits for it. Thread-safe.
 */
final class VolatileLives {
  private static final Future<Void> NOTHING = Future.succeededFuture();

  private final VolatileRunner runner;
  private final ActorEnvironment environment;
  private final Supervisor supervisor;
  private final ActorHistory history;
  private final ActorRefImpl<?> self;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final VolatileMail mail;

  /** The life that handles messages; null between two lives. */
  private volatile @Nullable VolatileTurns present;

  /** The life that starts; null if none does. */
  private @Nullable VolatileTurns starting;

  /** Completes with the start or end that is under way. */
  private Future<Void> busy = NOTHING;

  /** Codec of the last life that was started; null before. */
  private volatile @Nullable ProtocolCodec<Object> protocol;

  private @Nullable FirstStart first;
  private volatile String type = "";
  private volatile boolean held;
  private volatile boolean stopped;

  /** True if the supervisor has state of this actor. */
  private volatile boolean known;

  private volatile boolean ended;

  /** First start of an actor, begun by its supervisor. */
  private record FirstStart(Actor<?> object, Promise<Void> over) {}

  VolatileLives(
      VolatileRunner runner,
      ActorEnvironment environment,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      VolatileMail mail) {
    this.runner = runner;
    this.environment = environment;
    this.supervisor = runner.supervisor();
    this.history = runner.history();
    this.self = self;
    this.factory = factory;
    this.options = options;
    this.mail = mail;
  }

  /** Returns the life that handles messages; null between two lives. */
  @Nullable VolatileTurns present() {
    return present;
  }

  /** Returns the life that starts; null if none does. */
  synchronized @Nullable VolatileTurns starting() {
    return starting;
  }

  /** Class of the actor; empty before its first start. */
  String type() {
    return type;
  }

  /** Returns the codec of the protocol as of the last start; null before the first. */
  @Nullable ProtocolCodec<Object> protocol() {
    return protocol;
  }

  /** Returns whether it has no life, and none begins. */
  synchronized boolean isDown() {
    return present == null && starting == null && busy.isComplete();
  }

  /** Returns whether the actor was stopped for good. */
  boolean isStopped() {
    return stopped;
  }

  /** Returns whether the stop has ended. */
  boolean isEnded() {
    return ended;
  }

  /** Completes with the start or end that is under way. */
  synchronized Future<Void> busy() {
    return busy;
  }

  /** Returns whether the actor was stopped, or its supervisor wants it down. */
  private boolean isToEnd() {
    return stopped || held;
  }

  // The start of a life.

  /** Begins the first life when the supervisor decides to. */
  Future<Void> startInZone(Actor<?> object) {
    FirstStart begins = new FirstStart(object, Promise.promise());
    synchronized (this) {
      first = begins;
      held = true;
    }
    supervisor.add(runner);
    return begins.over().future();
  }

  /** Begins a life with a new object of the factory's. */
  @SuppressWarnings("unchecked")
  Future<Void> start(Actor<?> object) {
    Actor<Object> actor = (Actor<Object>) object;
    type = actor.getClass().getName();
    LifeStash stash = new LifeStash(mail);
    VolatileActorContext scope = new VolatileActorContext(environment, self, stash, runner);
    ActorInstance actorInstance =
        new ActorInstance(environment, supervisor, actor, options, scope, runner::failedOutside);
    VolatileTurns turns =
        new VolatileTurns(
            environment.node(), environment.host(), runner, actorInstance, scope, mail, stash);
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (isToEnd()) {
        return Future.failedFuture(runner.stoppedCause());
      }
      busy = over.future();
      starting = turns;
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
      starting = null;
      if (lives) {
        present = turns;
        protocol = turns.codec();
        history.is(State.RUNNING);
        if (known || runner.isInZone()) {
          supervisor.started(runner);
        }
        environment.groups().joined(self.path(), false, options);
      }
    }
    if (!lives) {
      return turns
          .close(runner::stoppedCause)
          .transform(
              done -> {
                over.complete();
                return Future.failedFuture(runner.stoppedCause());
              });
    }
    free(over);
    over.complete();
    turns.begin(!mail.isEmpty());
    return NOTHING;
  }

  /** Allows the next start or end, before {@code over} is completed. */
  private synchronized void free(Promise<Void> over) {
    if (busy == over.future()) {
      busy = NOTHING;
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
    Future<Void> reported = gone.isComplete() ? over.future() : NOTHING;
    gone.compose(v -> turns.close(runner::stoppedCause))
        .onComplete(
            done -> {
              synchronized (this) {
                starting = null;
              }
              supervise(over, cause);
              over.complete();
              history.explain();
            });
    return reported.transform(done -> startFailed(cause));
  }

  private Future<Void> startFailed(Throwable cause) {
    return Future.failedFuture(
        isToEnd() ? runner.stoppedCause() : CallboardException.startFailed(self.path(), cause));
  }

  /**
   * Allows the next start or end and reports the failure in one step: otherwise a caller that ends
   * the actor in between could begin the next life, which has not failed.
   */
  private synchronized void supervise(Promise<Void> over, Throwable cause) {
    free(over);
    supervise(cause);
  }

  private synchronized void supervise(Throwable cause) {
    if (!isToEnd()) {
      known = true;
      supervisor.failed(runner, cause);
    }
  }

  /** Begins the next life when nothing of the one before is under way any more. */
  void beginNext() {
    FirstStart begins;
    synchronized (this) {
      if (stopped || present != null) {
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
      goesOn = busy == before || busy == NOTHING;
    }
    if (goesOn) {
      beginNext();
    }
  }

  private synchronized @Nullable FirstStart takeFirst() {
    FirstStart taken = first;
    first = null;
    return taken;
  }

  // The end of a life.

  /**
   * Ends a life that has failed, and then reports the failure to the supervisor; does nothing if it
   * is not the present one any more, for then a stop has it.
   *
   * @param record records the failure, when the life handles nothing more
   * @param ofMessage failure of the ask of the message being handled
   */
  void crash(
      VolatileTurns failed,
      Throwable cause,
      Runnable record,
      Supplier<? extends Throwable> ofMessage) {
    Promise<Void> over = Promise.promise();
    synchronized (this) {
      if (present != failed) {
        return;
      }
      present = null;
      busy = over.future();
    }
    failed.end();
    record.run();
    failed
        .close(ofMessage)
        .onComplete(
            done -> {
              supervise(over, cause);
              over.complete();
              history.explain();
            });
  }

  /**
   * Ends the present life, if there is one.
   *
   * @param forGood whether no other one follows
   */
  Future<Void> end(boolean forGood) {
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
      now = present;
      present = null;
      starts = starting;
      busy = over.future();
      if (!forGood) {
        history.isDown();
      }
    }
    if (starts != null) {
      starts.boundStart();
    }
    if (history.whyDown() != null) {
      environment.groups().left(self.path()); // its start may have succeeded after it had to rest
    }
    Future<Void> closed = before;
    if (now != null) {
      closed = now.close(runner::stoppedCause);
    }
    closed.onComplete(
        done -> {
          if (forGood) {
            ended();
          } else {
            runner.isDown();
          }
          over.complete();
        });
    return over.future();
  }

  private void ended() {
    history.is(State.STOPPED);
    boolean leaves = endedNow();
    environment.groups().left(self.path());
    mail.loseAll(runner.stoppedCause());
    FirstStart never = takeFirst();
    if (never != null) {
      never.over().fail(runner.stoppedCause());
    }
    if (leaves) {
      runner.leaveSupervisor();
    }
    environment.host().ended(runner);
    environment.deathWatch().ended(runner, runner::stopped);
  }

  /**
   * Records the end.
   *
   * @return whether the supervisor has state of this actor
   */
  private synchronized boolean endedNow() {
    ended = true;
    return known || runner.isInZone();
  }

  /** Records that the supervisor has state of this actor; false if the actor has ended. */
  synchronized boolean becomesKnown() {
    known = known || !ended;
    return !ended;
  }
}
