package io.callboard.internal.lifecycle;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.Timeouts;
import io.callboard.internal.zone.Zone;
import io.callboard.supervision.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * End of one life: stops the actor on its context, undeploys what it deployed and closes the
 * context, each within a time limit; a life that does not end in time is left behind. Its methods
 * may be called on any thread; {@link LifeState} sees to it that the end comes once.
 */
final class LifeEnd {
  private static final Logger log = LoggerFactory.getLogger(LifeEnd.class);

  /**
   * Added to the limit of a start or stop where no thread may be free to report that it has passed.
   */
  static final Duration MARGIN = Duration.ofSeconds(5);

  /** Limit, after the stop, for Vert.x to close the context, which may need an event loop. */
  private static final Duration CLOSED = Duration.ofMillis(100);

  private final NodeContext node;
  private final Zone zone;
  private final ActorPath path;
  private final Actor<?> actor;
  private final Duration stopTimeout;
  private final ChildDeployments below = new ChildDeployments();
  private final LifeState lifeState;
  private final Runnable onLeft;
  private volatile boolean holdsItsThread;

  /**
   * @param onLeft called once, when nothing is left of the life or it is left behind
   */
  LifeEnd(
      NodeContext node,
      Zone zone,
      ActorPath path,
      Actor<?> actor,
      ActorOptions options,
      LifeState lifeState,
      Runnable onLeft) {
    this.node = node;
    this.zone = zone;
    this.path = path;
    this.actor = actor;
    this.stopTimeout = options.stopTimeout();
    this.lifeState = lifeState;
    this.onLeft = onLeft;
  }

  /** Deployments of the actor's own. */
  ChildDeployments below() {
    return below;
  }

  /** See {@link ActorInstance#atLast}. */
  Future<Void> atLast(@Nullable ContextInternal here, Runnable task) {
    Promise<Void> ran = Promise.promise();
    Runnable last =
        () -> {
          task.run();
          boolean unused = ran.tryComplete();
        };
    try {
      if (here == null) {
        last.run();
      } else {
        zone.schedule(here, path, last);
      }
    } catch (RejectedExecutionException e) {
      log.debug(
          "the zone of {} has closed: its last task runs on the calling thread",
          path,
          Causes.readable(e));
      last.run();
    }
    node.limit(ran.future(), stopTimeout, () -> abandonLast(ran));
    return ran.future();
  }

  private void abandonLast(Promise<Void> ran) {
    holdsItsThread = true;
    if (ran.tryComplete()) {
      log.warn("{} at {} is still busy: the stop does not wait for it", type(), path);
    }
  }

  /**
   * Leaves a life behind that does not stop in time; one that holds its thread has had its time.
   */
  void boundStop(Promise<Void> ended) {
    if (holdsItsThread) { // for as long as a stop may take already
      limit(ended, "%s still holds its thread".formatted(type()), CLOSED);
    } else {
      bound(ended, "stop");
    }
  }

  /** Leaves this life behind if {@code ended} does not complete in time. */
  void bound(Promise<Void> ended, String what) {
    Duration time = (below.isEmpty() ? stopTimeout : stopTimeout.multipliedBy(2)).plus(MARGIN);
    limit(ended, "%s did not %s within %s".formatted(type(), what, time), time);
  }

  private void limit(Promise<Void> ended, String why, Duration time) {
    node.limit(ended.future(), time, () -> leave(ended, why));
  }

  /** Leaves this life behind, unless nothing is left of it. */
  void leave(Promise<Void> ended, String why) {
    if (gone(ended)) {
      log.warn("{}; its instance is abandoned", why);
      leaveBelow();
    }
  }

  /** Undeploys what a life that is left behind deployed; its own context may never be free. */
  private void leaveBelow() {
    try {
      below.end(node.vertx().getOrCreateContext()).onFailure(this::notClean);
    } catch (RejectedExecutionException e) {
      log.debug(
          "the Vert.x instance has closed, with all that {} had deployed",
          path,
          Causes.readable(e));
    }
  }

  private void notClean(Throwable cause) {
    log.warn("a deployment of {} did not stop cleanly", type(), Causes.readable(cause));
  }

  /** Stops the actor on its context, then completes the end. */
  void stop(ContextInternal here, Promise<Void> ended) {
    if (here.inThread() && ContextInternal.current() == here) {
      stopHere(here, ended);
      return;
    }
    try {
      zone.schedule(here, path, () -> stopHere(here, ended));
    } catch (RejectedExecutionException e) {
      leave(ended, "%s could not stop: its zone has closed".formatted(type()));
    }
  }

  private void stopHere(ContextInternal here, Promise<Void> ended) {
    endBelow(here)
        .compose(v -> stopActor(here))
        .onComplete(
            done -> {
              if (done.failed()) {
                log.warn("{} did not stop cleanly", type(), Causes.readable(done.cause()));
              }
              close(here, ended);
            });
  }

  private Future<?> stopActor(ContextInternal here) {
    try {
      return bounded(actor.undeploy(here), "stop", here);
    } catch (Exception | Error e) {
      return Future.failedFuture(e);
    }
  }

  /** Completes the end of an actor whose start has failed: it is not stopped. */
  void clear(ContextInternal here, Promise<Void> ended) {
    endBelow(here).onComplete(done -> close(here, ended));
  }

  /** Closes the context of an actor that has stopped, or never started. */
  private void close(ContextInternal here, Promise<Void> ended) {
    Future<Void> closed = here.close();
    node.limit(closed, CLOSED, () -> gone(ended));
    closed.onComplete(done -> gone(ended));
  }

  /**
   * Completes the end: nothing is left, or the rest is left behind.
   *
   * @return whether this call was the first
   */
  @CanIgnoreReturnValue
  boolean gone(Promise<Void> ended) {
    if (!lifeState.leave()) {
      return false;
    }
    onLeft.run();
    zone.leave();
    ended.complete();
    return true;
  }

  /** Undeploys what the actor deployed, within the time limit of a stop; the future never fails. */
  Future<?> endBelow(ContextInternal here) {
    return bounded(below.end(here), "deployments", here)
        .otherwise(
            cause -> {
              notClean(cause);
              return null;
            });
  }

  private Future<?> bounded(@Nullable Future<?> future, String what, Context on) {
    if (future == null || future.isComplete()) {
      return future == null ? Future.succeededFuture() : future;
    }
    return Timeouts.named(
        what + " of " + type(), stopTimeout, stopTimeout, future, node.time(), on);
  }

  private String type() {
    return actor.getClass().getName();
  }
}
