package io.callboard.internal.node;

import io.callboard.internal.context.NodeContext;
import io.callboard.internal.zone.Zones;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of the close of a node, in order. Each runs on the durable context, whatever the step
 * before ended on; one that fails, or does not end within {@link CloseLimit#SILENCE}, is logged and
 * does not stop the others.
 */
final class Shutdown {
  private static final Logger log = LoggerFactory.getLogger(Shutdown.class);
  private static final Future<Void> DONE = Future.succeededFuture();

  private final NodeContext node;
  private final Zones zones;
  private final List<Supplier<Future<Void>>> steps = new ArrayList<>();

  Shutdown(NodeContext node, Zones zones) {
    this.node = node;
    this.zones = zones;
  }

  /** Adds a step. */
  Shutdown then(String what, Supplier<Future<Void>> close) {
    steps.add(() -> limited(what, close));
    return this;
  }

  /** Adds a step that has ended when it returns. */
  Shutdown thenRun(String what, Runnable close) {
    return then(
        what,
        () -> {
          close.run();
          return DONE;
        });
  }

  /** Adds a step that has limits of its own, which may be longer. */
  Shutdown thenUnlimited(String what, Supplier<Future<Void>> close) {
    steps.add(() -> ended(what, Promise.promise(), close));
    return this;
  }

  /** Runs the steps; never fails. */
  Future<Void> run() {
    Future<Void> done = DONE;
    for (Supplier<Future<Void>> step : steps) {
      done = done.compose(v -> step.get());
    }
    return done;
  }

  private Future<Void> limited(String what, Supplier<Future<Void>> close) {
    Promise<Void> ended = Promise.promise();
    CloseLimit.unlessSoon(ended.future(), () -> onDurableContext(() -> late(what, ended)));
    return ended(what, ended, close);
  }

  private Future<Void> ended(String what, Promise<Void> ended, Supplier<Future<Void>> close) {
    onDurableContext(
        () -> DONE.compose(v -> close.get()).onComplete(done -> report(what, done.cause(), ended)));
    return ended.future();
  }

  private void onDurableContext(Runnable step) {
    try {
      node.onDurableContext(step);
    } catch (RejectedExecutionException e) {
      step.run(); // the Vert.x has closed, and nothing else runs there any more
    }
  }

  private void late(String what, Promise<Void> ended) {
    if (!ended.future().isComplete()) {
      String why =
          "it did not end within %d s; event loops are held by %s"
              .formatted(CloseLimit.SILENCE.toSeconds(), CloseLimit.holders(zones));
      report(what, new TimeoutException(why), ended);
    }
  }

  private static void report(String what, @Nullable Throwable failure, Promise<Void> ended) {
    if (!ended.tryComplete()) {
      log.debug(
          "{} ended after its limit", what, failure == null ? null : Causes.readable(failure));
    } else if (failure instanceof RejectedExecutionException) {
      log.debug("{} ended with its Vert.x instance, which closed first", what, failure);
    } else if (failure != null) {
      log.warn("{} did not close cleanly: {}", what, Causes.text(failure));
    }
  }
}
