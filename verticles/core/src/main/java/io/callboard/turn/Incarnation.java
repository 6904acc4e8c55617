package io.callboard.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.Interceptor;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.Zone;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.deployment.Deployment;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of an actor: one object, one context. Its start and stop are bounded; a failure outside
 * of a handler (a timer of the user's, a forgotten future) is reported once.
 *
 * <p>To Vert.x it is a deployment below the supervisor's: what the actor deploys ends with it, and
 * it ends with the Vert.x. But Vert.x keeps nothing of it, which makes it light.
 */
final class Incarnation implements DeploymentContext {
  private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

  /** Over the time for its stop, until an actor is left behind. */
  private static final Duration UNDEPLOYED = Duration.ofSeconds(5);

  /** After its stop, for its context to be closed by Vert.x, which may need an event loop. */
  private static final Duration CLOSED = Duration.ofMillis(100);

  private final CallboardRuntime runtime;
  private final Actor<Object> actor;
  private final ActorOptions options;
  private final @Nullable Interceptor layers;
  private final Consumer<Throwable> onFailure;
  private final Scope scope;
  private final Zone zone;
  private volatile @Nullable ContextInternal context;
  private volatile boolean up;
  private volatile boolean over;
  private @Nullable Promise<Void> ending;
  private @Nullable Set<DeploymentContext> below;

  /**
   * @param onFailure told of what fails outside of handlers; any thread
   */
  Incarnation(
      CallboardRuntime runtime,
      Actor<Object> actor,
      ActorOptions options,
      Scope scope,
      Consumer<Throwable> onFailure) {
    this.runtime = runtime;
    this.actor = actor;
    this.options = options;
    this.layers = options.interceptor().orElse(null);
    this.scope = scope;
    this.onFailure = onFailure;
    this.zone = runtime.zoneRegistry().zone(options.zone());
  }

  Actor<Object> actor() {
    return actor;
  }

  Scope scope() {
    return scope;
  }

  /** Lets the actor handle a message, through what is around its handlers. */
  @Nullable Future<?> receive(Object message) {
    Object own = actor.adapted(message);
    scope.inHandler(true);
    try {
      return layers == null
          ? actor.receive(own)
          : layers.receive(scope.self(), own, actor::receive);
    } finally {
      scope.inHandler(false);
    }
  }

  // The start.

  /** Starts in the zone; fails if the start fails or takes too long. Completes on any thread. */
  Future<Void> start() {
    if (!runtime.supervisor().deployment().addChild(this)) {
      return Future.failedFuture(CallboardException.stopped("this node"));
    }
    Promise<Void> started = Promise.promise();
    ContextInternal here =
        runtime.zoneRegistry().context(options.zone(), options.zonePriority(), this, whose());
    here.exceptionHandler(this::fail);
    context = here;
    try {
      zone.schedule(here, whose(), () -> begin(here, started));
    } catch (RejectedExecutionException e) {
      over = true;
      leave();
      return Future.failedFuture(e);
    }
    return started.future();
  }

  /** Nothing of it is left. */
  private void leave() {
    boolean unused = runtime.supervisor().deployment().removeChild(this);
    zone.leave();
  }

  private void begin(ContextInternal here, Promise<Void> started) {
    actor.attach(scope);
    if (scope.self().durable()) {
      here.put(ActorContext.KEY, scope);
    }
    Future<?> start;
    try {
      start = bounded(actor.deploy(here), options.startTimeout(), "start", here);
    } catch (Exception | Error e) {
      start = Future.failedFuture(e);
    }
    start.onComplete(done -> begun(here, done.cause(), started));
  }

  private void begun(ContextInternal here, @Nullable Throwable failure, Promise<Void> started) {
    if (failure == null) {
      up = true;
      runtime.zoneRegistry().count(options.zone(), 1);
      started.complete();
      return;
    }
    over = true;
    here.close()
        .onComplete(
            closed -> {
              leave();
              started.fail(failure);
            });
  }

  private Future<?> bounded(@Nullable Future<?> future, Duration limit, String what, Context on) {
    if (future == null || future.isComplete()) {
      return future == null ? Future.succeededFuture() : future;
    }
    return Bounded.within(limit, future, runtime.time(), on)
        .recover(
            cause ->
                Future.failedFuture(
                    cause instanceof TimeoutException
                        ? new IllegalStateException(
                            "the %s of %s did not end within %d ms"
                                .formatted(what, type(), limit.toMillis()))
                        : cause));
  }

  private ActorPath whose() {
    return scope.self().path();
  }

  private String type() {
    return actor.getClass().getName();
  }

  // While it lives.

  /** Something outside of a handler failed. */
  private void fail(Throwable cause) {
    if (!over) {
      onFailure.accept(cause);
    }
  }

  /** Runs {@code task} on the actor's context; not if this life is over. */
  void run(Runnable task) {
    ContextInternal here = context;
    if (here != null && !over) {
      zone.schedule(here, whose(), task);
    }
  }

  /** Runs {@code task} after the other actors of the zone had their turn. */
  void yield(Runnable task) {
    ContextInternal here = context;
    if (here != null && !over) {
      zone.yield(here, whose(), task);
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
   * Tells on the context how what a handler began has ended; not at all if this life ends first.
   */
  void await(Future<?> result, Consumer<@Nullable Throwable> done) {
    Context here = Objects.requireNonNull(context, "a handler runs in a life");
    List<Asks.Ask<?>> asked = scope.asked();
    if (asked != null) {
      runtime.waits().begin(whose(), asked);
    }
    Bounded.within(options.turnTimeout(), result, runtime.time(), here)
        .onComplete(
            end -> {
              if (asked != null) {
                runtime.waits().end(whose(), asked);
              }
              run(() -> done.accept(end.cause()));
            });
  }

  // The end.

  /**
   * Runs {@code task} on the context, after what is queued there, also if this life is over; where
   * there is no context yet, at once. Completes when it ran, or after the stop timeout: a blocked
   * thread holds up nothing else.
   */
  Future<Void> atLast(Runnable task) {
    ContextInternal here = context;
    Promise<Void> ran = Promise.promise();
    if (here == null) {
      task.run();
      ran.complete();
      return ran.future();
    }
    Limit limit =
        runtime.limit(
            options.stopTimeout(),
            () -> {
              if (ran.tryComplete()) {
                log.warn("{} is still busy and is stopped without it", type());
              }
            });
    zone.schedule(
        here,
        whose(),
        () -> {
          task.run();
          limit.reached();
          boolean unused = ran.tryComplete();
        });
    return ran.future();
  }

  /**
   * Ends this life; the future never fails, what went wrong is logged. It waits for Vert.x to close
   * the context only for a while: that needs an event loop.
   */
  Future<Void> end() {
    ContextInternal here = context;
    Promise<Void> ended = Promise.promise();
    synchronized (this) {
      if (ending != null || here == null || !up) {
        return ending == null ? Future.succeededFuture() : ending.future();
      }
      ending = ended;
      over = true;
    }
    runtime.zoneRegistry().count(options.zone(), -1);
    Duration time = options.stopTimeout().plus(UNDEPLOYED);
    Limit limit =
        runtime.limit(time, () -> left(ended, "%s did not stop within %s".formatted(type(), time)));
    if (here.inThread() && ContextInternal.current() == here) {
      stop(here, limit, ended);
      return ended.future();
    }
    try {
      zone.schedule(here, whose(), () -> stop(here, limit, ended));
    } catch (RejectedExecutionException e) {
      limit.reached();
      left(ended, "%s could not stop: its zone has ended".formatted(type()));
    }
    return ended.future();
  }

  private void left(Promise<Void> ended, String why) {
    if (ended.tryComplete()) {
      leave();
      log.warn("{}; it is left behind", why);
    }
  }

  private void stop(ContextInternal here, Limit limit, Promise<Void> ended) {
    Future<?> stopped;
    try {
      stopped =
          endBelow(here)
              .compose(
                  v -> {
                    try {
                      return bounded(actor.undeploy(here), options.stopTimeout(), "stop", here);
                    } catch (Exception e) {
                      return Future.failedFuture(e);
                    }
                  });
    } catch (Error e) {
      stopped = Future.failedFuture(e);
    }
    stopped.onComplete(done -> close(here, done.cause(), limit, ended));
  }

  /** The actor has stopped. */
  private void close(
      ContextInternal here, @Nullable Throwable failure, Limit limit, Promise<Void> ended) {
    if (failure != null) {
      log.warn("{} did not stop cleanly", type(), failure);
    }
    limit.reached();
    Future<Void> closed = here.close();
    if (closed.isComplete()) {
      gone(ended);
      return;
    }
    Limit soon = runtime.limit(CLOSED, () -> gone(ended));
    closed.onComplete(
        done -> {
          soon.reached();
          gone(ended);
        });
  }

  private void gone(Promise<Void> ended) {
    if (ended.tryComplete()) {
      leave();
    }
  }

  // As Vert.x sees it.

  @Override
  public synchronized boolean addChild(DeploymentContext child) {
    if (ending != null) {
      return false;
    } else if (below == null) {
      below = ConcurrentHashMap.newKeySet();
    }
    return below.add(child);
  }

  @Override
  public synchronized boolean removeChild(DeploymentContext child) {
    return below != null && below.remove(child);
  }

  private Future<?> endBelow(ContextInternal here) {
    Set<DeploymentContext> all;
    synchronized (this) {
      all = below;
    }
    if (all == null) {
      return Future.succeededFuture();
    }
    List<Future<Void>> ends = all.stream().map(each -> each.undeploy(here)).toList();
    return Future.join(ends)
        .otherwise(
            cause -> {
              log.warn("what {} deployed did not stop cleanly", type(), cause);
              return null;
            });
  }

  @Override
  public boolean isChild() {
    return true;
  }

  /** By a Vert.x that closes. */
  @Override
  public Future<Void> undeploy(ContextInternal undeploying) {
    return end();
  }

  @Override
  public String id() {
    return whose().toString();
  }

  @Override
  public Deployment deployment() {
    return Detached.INSTANCE;
  }
}
