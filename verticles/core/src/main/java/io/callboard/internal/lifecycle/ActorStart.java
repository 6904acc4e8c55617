package io.callboard.internal.lifecycle;

import io.callboard.Actor;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.Timeouts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Start of one life, with one time limit for all of it: the wait for a thread, the actor's own
 * code, and what that code awaits.
 */
final class ActorStart {
  private final NodeContext node;
  private final Actor<?> actor;
  private final String zone;
  private final Duration limit;
  private final long askedNanos;
  private volatile boolean begun;
  private volatile boolean returned;
  private @Nullable Promise<Object> open;

  /**
   * Begins the time limit.
   *
   * @param limit of the whole start
   */
  ActorStart(NodeContext node, Actor<?> actor, String zone, Duration limit) {
    this.node = node;
    this.actor = actor;
    this.zone = zone;
    this.limit = limit;
    this.askedNanos = node.nanoTime();
  }

  /**
   * Starts the actor; on its context, where the future completes.
   *
   * @param stopped why the start is given up once the actor's own code has returned; null if it is
   *     not
   */
  Future<?> run(ContextInternal here, Supplier<@Nullable Throwable> stopped) throws Exception {
    begun = true;
    Future<?> start = actor.deploy(here);
    if (start == null || start.isComplete()) {
      return start == null ? Future.succeededFuture() : start;
    }
    Promise<Object> waited = Promise.promise();
    open = waited;
    Throwable why = stopped.get();
    if (why != null) { // its code awaited something meanwhile
      giveUp(why);
    }
    start.onComplete(
        done -> {
          var unused =
              done.succeeded() ? waited.tryComplete(done.result()) : waited.tryFail(done.cause());
        });
    long left = limit.toNanos() - (node.nanoTime() - askedNanos);
    returned = true;
    return Timeouts.named(
        "start of " + actor.getClass().getName(),
        limit,
        Duration.ofNanos(Math.max(1, left)),
        waited.future(),
        node.time(),
        here);
  }

  /** Ends the wait for the actor's future, if there is one; on the context. */
  void giveUp(Throwable why) {
    var unused = open != null && open.tryFail(why);
  }

  /** Returns whether the start only waits for a future and blocks no thread. Any thread. */
  boolean onlyWaits() {
    return returned;
  }

  /** Returns the message about a start that has passed its limit without an end. Any thread. */
  String late() {
    String type = actor.getClass().getName();
    long millis = limit.toMillis();
    if (returned) {
      return "the start of %s did not end within %d ms: zone %s had no thread to report that to it"
          .formatted(type, millis, zone);
    }
    return begun
        ? "the start of %s did not end within %d ms: its thread is still blocked"
            .formatted(type, millis)
        : "the start of %s did not begin within %d ms: zone %s had no thread for it"
            .formatted(type, millis, zone);
  }
}
