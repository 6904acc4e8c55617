package io.callboard.turn;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.VolatileMailbox;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.Zone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a volatile actor: drains its mailbox in slices on the context of its current life. While it
 * is down its mail waits, in order, within the mailbox's limit.
 */
final class VolatileRunner implements Runner {
  /** Messages handled before the zone's other actors get their turn. */
  private static final int SLICE = 64;

  private final CallboardRuntime runtime;
  private final ActorRef<?> self;
  private final Supplier<? extends Actor<?>> factory;
  private final ActorOptions options;
  private final VolatileMailbox mailbox;
  private final Zone zone;
  private final History history;
  private final AtomicReference<@Nullable Life> life = new AtomicReference<>();
  private volatile String type = "";
  private volatile boolean stopped;
  private volatile @Nullable Delivery current;

  private record Life(Incarnation incarnation, Scope scope) {}

  VolatileRunner(
      CallboardRuntime runtime,
      ActorRef<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    this.runtime = runtime;
    this.self = self;
    this.factory = factory;
    this.options = options;
    this.mailbox = new VolatileMailbox(options.mailboxLimit());
    this.zone = runtime.zoneRegistry().zone(options.zone());
    this.history = new History(runtime.clock());
  }

  /** The first start. */
  Future<Void> start() {
    return launch();
  }

  @SuppressWarnings("unchecked")
  private Future<Void> launch() {
    Actor<Object> actor;
    try {
      actor = (Actor<Object>) factory.get();
    } catch (RuntimeException e) {
      return failedStart(e);
    }
    type = actor.getClass().getName();
    Scope scope = new Scope(runtime, self, null, own -> offerOwn(own));
    Incarnation incarnation = new Incarnation(actor, options, cause -> crashed(cause));
    return incarnation
        .start(runtime.vertx(), runtime.zoneRegistry(), scope)
        .compose(
            up -> {
              if (stopped) {
                return incarnation.end(runtime.vertx(), runtime.zoneRegistry());
              }
              life.set(new Life(incarnation, scope));
              history.is(State.RUNNING);
              runtime.supervisor().started(this);
              if (mailbox.wake()) {
                schedule();
              }
              return Future.succeededFuture();
            },
            this::failedStart);
  }

  private Future<Void> failedStart(Throwable cause) {
    history.failed(cause);
    runtime.supervisor().failed(this, cause);
    return Future.failedFuture(
        new CallboardException(
            CallboardException.Code.START_FAILED,
            "%s could not be started: %s".formatted(self.path(), cause.getMessage()),
            cause));
  }

  private void offerOwn(Delivery own) {
    put(own).onFailure(cause -> runtime.deadLetter(self.path(), own.message(), cause));
  }

  /** Puts a message of somebody else into the mailbox; from any thread. */
  Future<Void> offer(Delivery delivery) {
    if (zone.isShut()) {
      return Future.failedFuture(CallboardException.zoneFull(self.path(), zone.name()));
    }
    return put(delivery);
  }

  private Future<Void> put(Delivery delivery) {
    if (stopped) {
      return Future.failedFuture(CallboardException.stopped("actor " + self.path()));
    }
    if (!mailbox.offer(delivery)) {
      return Future.failedFuture(CallboardException.mailboxFull(self.path(), mailbox.limit()));
    }
    if (life.get() != null && mailbox.wake()) {
      schedule();
    }
    return Future.succeededFuture();
  }

  private void schedule() {
    Life now = life.get();
    if (now != null) {
      now.incarnation().run(() -> drain(now, SLICE));
      return;
    }
    // It failed after the sender saw it alive: the next life schedules itself.
    mailbox.rest();
    if (life.get() != null && mailbox.size() > 0 && mailbox.wake()) {
      schedule();
    }
  }

  private void drain(Life now, int left) {
    for (int remaining = left; remaining > 0; remaining--) {
      if (life.get() != now) {
        return;
      }
      Delivery next = mailbox.poll();
      if (next == null) {
        break;
      }
      if (!handle(now, next, remaining - 1)) {
        return;
      }
    }
    if (mailbox.restOrGoOn()) {
      now.incarnation().yield(() -> drain(now, SLICE));
    }
  }

  /** Whether the handler is done; if not, the rest of the slice follows when it is. */
  private boolean handle(Life now, Delivery next, int then) {
    current = next;
    now.scope().begin(next.reply());
    boolean[] inHere = {true};
    boolean done =
        now.incarnation()
            .handle(
                next.message(),
                failure -> {
                  boolean goesOn = settled(now, next, failure);
                  if (goesOn && !inHere[0]) {
                    drain(now, then);
                  }
                });
    inHere[0] = false;
    return done;
  }

  /** Whether the actor goes on. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private boolean settled(Life now, Delivery delivery, @Nullable Throwable failure) {
    current = null;
    now.scope().end();
    if (failure == null) {
      history.handled();
      runtime.counters().handled.increment();
      return true;
    }
    delivery.reply().fail(CallboardRuntime.handlerFailed(self.path(), failure));
    crashed(failure);
    return false;
  }

  private void crashed(Throwable cause) {
    Life now = life.getAndSet(null);
    if (now == null || stopped) {
      return;
    }
    runtime.counters().failed.increment();
    history.failed(cause);
    Delivery broken = current;
    if (broken != null) {
      current = null;
      broken.reply().fail(CallboardRuntime.handlerFailed(self.path(), cause));
    }
    end(now).onComplete(done -> runtime.supervisor().failed(this, cause));
  }

  private Future<Void> end(Life now) {
    now.scope().cancelTimers();
    mailbox.rest();
    return now.incarnation().end(runtime.vertx(), runtime.zoneRegistry());
  }

  @Override
  public void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void restart() {
    if (!stopped) {
      history.restarted();
      launch().onFailure(CallboardRuntime::reportedElsewhere);
    }
  }

  @Override
  public void rest(String why) {
    history.is(State.FAILED);
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
    runtime.supervisor().forget(this);
    Life now = life.getAndSet(null);
    Promise<Void> done = Promise.promise();
    (now == null ? Future.<Void>succeededFuture() : end(now))
        .onComplete(
            ended -> {
              history.is(State.STOPPED);
              for (Delivery left = mailbox.poll(); left != null; left = mailbox.poll()) {
                left.reply().fail(CallboardException.stopped("actor " + self.path()));
                runtime.counters().dead.increment();
              }
              done.complete();
            });
    return done.future();
  }

  @Override
  public ActorStatus status() {
    return history.status(
        self.path(), runtime.node(), type, false, options.zone(), mailbox.size(), null);
  }
}
