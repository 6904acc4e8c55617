package io.callboard.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Interceptor;
import io.callboard.Time;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.Zone;
import io.callboard.zone.Zones;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of an actor: one object, one deployment, one context. Its start and stop are bounded; a
 * failure outside of a handler (a timer of the user's, a forgotten future) is reported once.
 */
final class Incarnation {
  private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

  /** Over the time for its stop, until an actor is left behind. */
  private static final Duration UNDEPLOYED = Duration.ofSeconds(5);

  /** After its stop, for its context to be closed by Vert.x. */
  private static final Duration CLOSED = Duration.ofMillis(100);

  private final Actor<Object> actor;
  private final ActorOptions options;
  private final Time time;
  private final @Nullable Interceptor layers;
  private final Consumer<Throwable> onFailure;
  private final AtomicBoolean over = new AtomicBoolean();
  private final Promise<Void> stopped = Promise.promise();
  private @Nullable ActorRef<?> self;
  private volatile @Nullable Life life;
  private volatile @Nullable String deploymentId;

  Incarnation(Actor<Object> actor, ActorOptions options, Time time, Consumer<Throwable> onFailure) {
    this.time = time;
    this.actor = actor;
    this.options = options;
    this.layers = options.interceptor().orElse(null);
    this.onFailure = onFailure;
  }

  Actor<Object> actor() {
    return actor;
  }

  /** Lets the actor handle a message, through what is around its handlers. */
  @Nullable Future<?> receive(Object message) {
    Object own = actor.adapted(message);
    return layers == null || self == null
        ? actor.receive(own)
        : layers.receive(self, own, actor::receive);
  }

  /** Deploys into the zone; fails if the start fails or takes too long. */
  Future<Void> start(Zones zones, ActorContext scope) {
    Zone zone = zones.zone(options.zone());
    self = scope.self();
    return zones
        .deploy(new Life(scope, zone), options.zone(), options.zonePriority())
        .map(
            id -> {
              deploymentId = id;
              zones.count(options.zone(), 1);
              return (Void) null;
            })
        .onFailure(cause -> over.set(true));
  }

  private final class Life implements Deployable {
    private final ActorContext scope;
    private final Zone zone;
    private @Nullable Context context;

    Life(ActorContext scope, Zone zone) {
      this.scope = scope;
      this.zone = zone;
    }

    @Override
    public Future<?> deploy(Context given) throws Exception {
      actor.attach(scope);
      if (scope.self().durable()) {
        given.put(ActorContext.KEY, scope);
      }
      given.exceptionHandler(Incarnation.this::fail);
      context = given;
      life = this;
      long begun = zone.enter(whose());
      try {
        return bounded(actor.deploy(given), options.startTimeout(), "start", given);
      } finally {
        zone.leave(begun);
      }
    }

    @Override
    public Future<?> undeploy(Context given) throws Exception {
      long begun = zone.enter(whose());
      try {
        Future<?> stop = bounded(actor.undeploy(given), options.stopTimeout(), "stop", given);
        return stop.onComplete(done -> stopped.tryComplete());
      } catch (Exception e) {
        boolean unused = stopped.tryComplete();
        throw e;
      } finally {
        zone.leave(begun);
      }
    }

    private ActorPath whose() {
      return scope.self().path();
    }

    void schedule(Runnable task) {
      if (context != null) {
        zone.schedule(context, whose(), task);
      }
    }

    void yield(Runnable task) {
      if (context != null) {
        zone.yield(context, whose(), task);
      }
    }

    private Future<?> bounded(@Nullable Future<?> future, Duration limit, String what, Context on) {
      if (future == null || future.isComplete()) {
        return future == null ? Future.succeededFuture() : future;
      }
      return Limit.of(limit, future, time, on)
          .recover(
              cause ->
                  Future.failedFuture(
                      cause instanceof TimeoutException
                          ? new IllegalStateException(
                              "the %s of %s did not end within %d ms"
                                  .formatted(what, actor.getClass().getName(), limit.toMillis()))
                          : cause));
    }
  }

  /** Something outside of a handler failed. */
  private void fail(Throwable cause) {
    if (!over.get()) {
      onFailure.accept(cause);
    }
  }

  /** Runs {@code task} on the actor's context; not if this life is over. */
  void run(Runnable task) {
    Life here = life;
    if (here != null && !over.get()) {
      here.schedule(task);
    }
  }

  /** Runs {@code task} after the other actors of the zone had their turn. */
  void yield(Runnable task) {
    Life here = life;
    if (here != null && !over.get()) {
      here.yield(task);
    }
  }

  /** Runs what the user wants after a commit; on the context. What it throws is the actor's. */
  void effect(Runnable effect) {
    try {
      effect.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /**
   * Hands a message to the actor; on its context.
   *
   * @param done called there once, with the failure or null; not at all if this life ends first
   * @return whether it was called before this returned
   */
  @CanIgnoreReturnValue
  boolean handle(Object message, Consumer<@Nullable Throwable> done) {
    Future<?> result;
    try {
      result = receive(message);
    } catch (Throwable failure) {
      done.accept(failure);
      return true;
    }
    if (result == null || result.isComplete()) {
      done.accept(result == null ? null : result.cause());
      return true;
    }
    await(result, done);
    return false;
  }

  /**
   * Runs {@code task} on the context, after what is queued there, also if this life is over; where
   * there is no context yet, at once. Completes when it ran, or after the stop timeout: a blocked
   * thread holds up nothing else.
   */
  Future<Void> atLast(Runnable task) {
    Life here = life;
    Promise<Void> ran = Promise.promise();
    Runnable whole =
        () -> {
          task.run();
          ran.tryComplete();
        };
    if (here == null) {
      whole.run();
    } else {
      here.schedule(whole);
    }
    return ran.future()
        .timeout(options.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .otherwise(
            cause -> {
              log.warn("{} is still busy and is stopped without it", actor.getClass().getName());
              return null;
            });
  }

  /**
   * Tells on the context how what a handler began has ended; not at all if this life ends first.
   */
  void await(Future<?> result, Consumer<@Nullable Throwable> done) {
    Context here = Objects.requireNonNull(life, "a handler runs in a life").context;
    Limit.of(options.turnTimeout(), result, time, Objects.requireNonNull(here))
        .onComplete(end -> run(() -> done.accept(end.cause())));
  }

  /**
   * Ends this life; the future never fails, what went wrong is logged. It waits for Vert.x to close
   * the context only for a while: that needs an event loop.
   */
  Future<Void> end(Vertx vertx, Zones zones) {
    String id = deploymentId;
    if (!over.compareAndSet(false, true) || id == null) {
      return Future.succeededFuture();
    }
    zones.count(options.zone(), -1);
    String type = actor.getClass().getName();
    Promise<Void> ended = Promise.promise();
    Duration limit = options.stopTimeout().plus(UNDEPLOYED);
    Runnable inTime =
        zones.later(
            limit,
            () -> {
              if (ended.tryComplete()) {
                log.warn("{} did not stop within {}; it is left behind", type, limit);
              }
            });
    vertx
        .undeploy(id)
        .onComplete(
            done -> {
              inTime.run();
              if (done.failed() && !stopped.future().isComplete()) {
                log.warn("{} did not stop cleanly", type, done.cause());
              } else if (done.failed()) {
                log.debug("{} was stopped by a Vert.x that closes", type, done.cause());
              }
              boolean unused = ended.tryComplete();
            });
    stopped
        .future()
        .onComplete(
            done -> {
              Runnable unused = zones.later(CLOSED, () -> goOn(inTime, ended));
            });
    return ended.future();
  }

  /** The actor has stopped; Vert.x closes its context with the help of an event loop. */
  private static void goOn(Runnable inTime, Promise<Void> ended) {
    inTime.run();
    boolean unused = ended.tryComplete();
  }
}
