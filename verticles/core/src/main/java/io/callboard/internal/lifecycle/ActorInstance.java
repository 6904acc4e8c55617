package io.callboard.internal.lifecycle;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.DurableActor;
import io.callboard.Interceptor;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.context.Timeouts;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.messaging.SendingActor;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zone;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.deployment.Deployment;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of an actor: one object, one context. Start and stop have time limits, also where they
 * block a thread for ever or get none; a failure outside of a handler (a timer of the user's, a
 * forgotten future) is reported once, and fails a start.
 *
 * <p>To Vert.x it is a child deployment of the supervisor's: what the actor deploys ends with it,
 * and it ends with the Vert.x instance. Vert.x keeps no state for it, which makes it light.
 */
public final class ActorInstance implements DeploymentContext, SendingActor.Deployed {
  private static final Logger log = LoggerFactory.getLogger(ActorInstance.class);

  private final ActorEnvironment environment;
  private final Supervisor supervisor;
  private final Actor<Object> actor;
  private final ActorOptions options;
  private final @Nullable Interceptor layers;
  private final boolean mayWait;
  private final Consumer<Throwable> onFailure;
  private final BaseActorContext scope;
  private final Zone zone;
  private volatile @Nullable ContextInternal context;
  private volatile @Nullable ActorStart starting;
  private volatile @Nullable DeploymentContext above;
  private final LifeState lifeState = new LifeState(this::isStopped);
  private final LifeEnd ending;

  /**
   * @param onFailure notified of failures outside of handlers, on any thread
   */
  public ActorInstance(
      ActorEnvironment environment,
      Supervisor supervisor,
      Actor<Object> actor,
      ActorOptions options,
      BaseActorContext scope,
      Consumer<Throwable> onFailure) {
    this.environment = environment;
    this.supervisor = supervisor;
    this.actor = actor;
    this.options = options;
    this.layers = options.interceptor().orElse(null);
    this.mayWait = scope.self().durable() || layers != null || actor.receivesItself();
    this.scope = scope;
    this.onFailure = onFailure;
    this.zone = environment.zones().zone(options.zone());
    this.ending =
        new LifeEnd(
            environment.node(), zone, whose(), actor, options, lifeState, this::leaveSupervisor);
  }

  public Actor<Object> actor() {
    return actor;
  }

  @Override
  public BaseActorContext scope() {
    return scope;
  }

  /**
   * Passes a message to the actor through its interceptors. A volatile actor's own handlers are
   * done when they return unless they are declared to wait; all others get a context for each
   * message.
   */
  public @Nullable Future<?> receive(Object message) {
    Object own = actor.adapted(message);
    return mayWait ? scope.waits(() -> handle(own)) : actor.receive(own);
  }

  private @Nullable Future<?> handle(Object own) {
    return layers == null ? actor.receive(own) : layers.receive(scope.self(), own, actor::receive);
  }

  // The start.

  /**
   * Starts the actor in its zone. Fails if the start fails, is late or is ended meanwhile, once
   * nothing of it is left. A start that blocks its thread or gets none fails when its time has
   * passed, and {@link #gone()} completes when nothing of it is left. Completes on any thread.
   */
  public Future<Void> start() {
    ContextInternal here =
        environment.zones().context(options.zone(), options.zonePriority(), this, whose());
    here.exceptionHandler(this::fail);
    scope.guard().runsOn(here);
    context = here;
    Future<Void> started = lifeState.starts();
    if (!isTaken()) {
      return refused(isStopped());
    }
    Duration time = options.startTimeout().plus(scope.recoveryTime(actor));
    ActorStart start = new ActorStart(environment.node(), actor, options.zone(), time);
    starting = start;
    Time.Alarm limit = environment.node().limit(time, () -> late(here, start));
    try {
      zone.schedule(here, whose(), () -> begin(here, limit, start));
    } catch (RejectedExecutionException e) {
      limit.cancel();
      return refused(e);
    }
    return started;
  }

  /**
   * Adds this life to its supervisor's deployments; false if the supervisor is gone or refuses it.
   */
  private boolean isTaken() {
    DeploymentContext present = supervisor.deployment();
    above = present;
    return present != null && present.addChild(this);
  }

  private void leaveSupervisor() {
    DeploymentContext there = above; // its supervisor may have another one by now, or none
    boolean unused = there != null && there.removeChild(this);
  }

  private CallboardException isStopped() {
    return CallboardException.stopped("actor " + whose());
  }

  private Future<Void> refused(Throwable cause) {
    ending.gone(lifeState.end(cause));
    return Future.failedFuture(cause);
  }

  private void begin(ContextInternal here, Time.Alarm limit, ActorStart start) {
    if (lifeState.isOver()) {
      limit.cancel();
      begun(here, isStopped());
      return;
    }
    Future<?> begun;
    try {
      actor.attach(layers == null ? scope : layers.context(scope));
      if (scope.self().durable()) {
        here.put(ActorContext.KEY, scope);
      }
      begun = start.run(here, () -> lifeState.isOver() ? isStopped() : null);
    } catch (Exception | Error e) {
      begun = Future.failedFuture(e);
    }
    begun.onComplete(
        done -> {
          starting = null;
          limit.cancel();
          begun(here, done.cause());
        });
  }

  /** Ends what a start waits for; runs on the context, after whatever blocks its thread. */
  private void giveUpStart(ContextInternal here, Promise<Void> ended) {
    ActorStart start = starting;
    if (start == null) {
      return;
    }
    try {
      zone.schedule(here, whose(), () -> start.giveUp(isStopped()));
    } catch (RejectedExecutionException e) {
      ending.leave(
          ended, "the start of %s could not be ended: its zone has closed".formatted(type()));
    }
  }

  /**
   * Handles the end of a start, including one that was given up before and of which nothing may be
   * left.
   */
  private void begun(ContextInternal here, @Nullable Throwable failure) {
    Promise<Void> started = failure == null ? lifeState.up() : null;
    if (started != null) {
      environment.zones().count(options.zone(), 1);
      started.complete();
      return;
    }
    Promise<Void> ended = lifeState.end(failure);
    ending.bound(ended, "end its start");
    if (failure == null) {
      ending.stop(here, ended);
    } else {
      ending.clear(here, ended);
    }
  }

  /**
   * Handles the timeout of a start; one that only waits is failed on its context, if that is free.
   */
  private void late(ContextInternal here, ActorStart start) {
    if (start.onlyWaits()) {
      Time.Alarm unused = environment.node().limit(LifeEnd.MARGIN, () -> overdue(here, start));
    } else {
      overdue(here, start);
    }
  }

  /** Fails a start that blocks its thread or got none; its end comes when the thread is free. */
  private void overdue(ContextInternal here, ActorStart start) {
    String why = start.late();
    if (lifeState.failStart(TimedOut.of(why))) {
      log.warn("{}; no other start at {} begins before it has ended", why, whose());
      ending.endBelow(here).onFailure(NodeContext::reportedElsewhere);
    }
  }

  /** Completes when nothing is left of this life, or of a failed start; never fails. */
  public Future<Void> gone() {
    return lifeState.ended();
  }

  /**
   * Gives up a start under way as soon as its thread is free. From now on it is waited for no
   * longer than a stop, and so is one that failed before its end.
   */
  public void boundStart() {
    ContextInternal here = context;
    Promise<Void> late = lifeState.late();
    Promise<Void> ended = late == null ? lifeState.giveUpStart(null) : late;
    if (ended == null) {
      return;
    }
    ending.bound(ended, "end its start");
    if (late == null && here != null) {
      giveUpStart(here, ended);
    }
  }

  private ActorPath whose() {
    return scope.self().path();
  }

  private String type() {
    return actor.getClass().getName();
  }

  /** Handles a failure outside of a handler. */
  void fail(Throwable cause) {
    ContextInternal here = context;
    if (lifeState.isOver()) {
      log.debug("{} failed after its end", type(), Causes.readable(cause));
    } else if (here != null && lifeState.giveUpStart(cause) != null) {
      begun(here, cause);
    } else {
      onFailure.accept(cause);
    }
  }

  /** Fails the start under way, or the life that has just begun, on the actor's context. */
  public void failStart(Throwable cause) {
    run(() -> fail(cause));
  }

  /** Runs {@code task} on the actor's context, unless this life has ended. */
  public void run(Runnable task) {
    ContextInternal here = context;
    if (here != null && !lifeState.isOver()) {
      zone.schedule(here, whose(), task);
    }
  }

  /** Runs {@code task} after the other actors of the zone had their turn. */
  public void yield(Runnable task) {
    ContextInternal here = context;
    if (here != null && !lifeState.isOver()) {
      zone.yield(here, whose(), task);
    }
  }

  /**
   * Runs a user's effect after a commit, on the context; an exception counts as a failure of the
   * actor.
   */
  public void effect(Runnable effect) {
    try {
      effect.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Returns the time limit of a turn. */
  public Duration turnTimeout() {
    return options.turnTimeout();
  }

  /** Flushes the work that turns have enlisted; on the context. */
  public Future<?> flush(List<Object> work) {
    try {
      Future<?> flushed = ((DurableActor<?, ?>) (Actor<?>) actor).flushed(work);
      return flushed == null ? Future.failedFuture("flush gave no future") : flushed;
    } catch (Exception | Error e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Handles a message; on the actor's context.
   *
   * @param done called there once, with the failure or null; not at all if this life ends first
   * @return whether {@code done} was called before this method returned
   */
  @CanIgnoreReturnValue
  public boolean handle(Object message, Consumer<@Nullable Throwable> done) {
    Future<?> result;
    scope.guard().enter();
    try {
      result = receive(message);
    } catch (Throwable failure) {
      scope.guard().leave();
      done.accept(failure);
      return true;
    }
    scope.guard().leave();
    if (result == null || result.isComplete()) {
      done.accept(result == null ? null : result.cause());
      return true;
    }
    await(result, done);
    return false;
  }

  /**
   * Awaits a handler's future, within the turn's time limit.
   *
   * @param done called on the context with the failure or null; not at all if this life ends first
   */
  public void await(Future<?> result, Consumer<@Nullable Throwable> done) {
    Context here = Objects.requireNonNull(context, "a handler runs in a life");
    List<PendingAsks.Ask<?>> asked = scope.asked();
    if (asked != null) {
      environment.waits().begin(whose(), asked);
    }
    Timeouts.within(options.turnTimeout(), result, environment.node().time(), here)
        .onComplete(
            end -> {
              if (asked != null) {
                environment.waits().end(whose(), asked);
              }
              run(() -> done.accept(end.cause()));
            });
  }

  /**
   * Returns the timeout of a handler that held its thread for {@code nanos}; null if that is within
   * the limit.
   */
  public @Nullable Throwable overdue(long nanos) {
    Duration limit = options.turnTimeout();
    return nanos <= limit.toNanos() ? null : TimedOut.returned(limit, nanos);
  }

  /**
   * Runs {@code task} on the context after what is queued there, even if this life has ended; at
   * once where there is no context yet. Completes when it ran, or when the time limit of a stop has
   * passed, so that a blocked thread delays nothing else.
   */
  public Future<Void> atLast(Runnable task) {
    return ending.atLast(context, task);
  }

  /**
   * Ends this life and gives up a start under way. Never fails: problems are logged. Waits only
   * briefly for Vert.x to close the context, which needs an event loop.
   */
  public Future<Void> end() {
    boundStart();
    ContextInternal here = context;
    Promise<Void> ended = here == null ? null : lifeState.beginEnd();
    if (here == null || ended == null) {
      return lifeState.ended();
    }
    ending.boundStop(ended);
    environment.zones().count(options.zone(), -1);
    ending.stop(here, ended);
    return ended.future();
  }

  // As Vert.x sees it.

  @Override
  public boolean addChild(DeploymentContext child) {
    return ending.below().add(child);
  }

  @Override
  public boolean removeChild(DeploymentContext child) {
    return ending.below().remove(child);
  }

  @Override
  public boolean isChild() {
    return true;
  }

  /**
   * Called by a Vert.x instance that closes: it undeploys the children of the supervisor before the
   * supervisor.
   */
  @Override
  public Future<Void> undeploy(ContextInternal undeploying) {
    supervisor.ends();
    return end();
  }

  @Override
  public String id() {
    return whose().toString();
  }

  @Override
  public Deployment deployment() {
    return ActorDeployment.INSTANCE;
  }
}
