package io.callboard.guard;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guarded actor across all of its lives. Its supervisor restarts it; this class replaces it
 * where that is not enough: when it has stopped, or hangs in a handler. Confined to the guard's
 * context.
 */
final class GuardedChild<M> {
  private static final Logger log = LoggerFactory.getLogger(GuardedChild.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final GuardEnvironment<M> guardEnvironment;
  private final Runnable isThere;
  private @Nullable ActorRef<M> ref;
  private boolean changes;
  private boolean over;

  /**
   * Creates the child of a guard; it is not started yet.
   *
   * @param isThere called when the actor can be given messages again
   */
  GuardedChild(GuardEnvironment<M> guardEnvironment, Runnable isThere) {
    this.guardEnvironment = guardEnvironment;
    this.isThere = isThere;
  }

  /** Returns the ref of the guarded actor; null if it cannot be given messages now. */
  @Nullable ActorRef<M> ref() {
    return ref;
  }

  /**
   * Completes when it is known whether the first start succeeds, or that it takes its time: the
   * guard starts all the same, and keeps what comes meanwhile. Fails if there can be no such actor.
   */
  Future<Void> start() {
    changes = true;
    Promise<Void> told = Promise.promise();
    Time.Alarm patience = guardEnvironment.after(PATIENCE, told::tryComplete);
    spawned()
        .onComplete(
            done -> {
              patience.cancel();
              if (done.succeeded()) {
                isStarted(told);
              } else if (!told.tryFail(done.cause())) {
                notReplaced(done.cause());
              }
            });
    return told.future();
  }

  private void isStarted(Promise<Void> told) {
    changes = false;
    if (!told.tryComplete()) {
      isThere.run();
    }
  }

  /** One whose start failed is tried again by its supervisor, and has its mailbox. */
  private Future<Void> spawned() {
    return attempted(guardEnvironment::spawn)
        .recover(
            cause ->
                isCode(cause, Code.START_FAILED)
                    ? attempted(() -> Future.succeededFuture(guardEnvironment.ref()))
                    : Future.failedFuture(cause))
        .onSuccess(started -> ref = started)
        .mapEmpty();
  }

  private static <T> Future<T> attempted(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static boolean isCode(Throwable cause, Code code) {
    return cause instanceof CallboardException ours && ours.code() == code;
  }

  /** Takes the failure of an attempt; if the actor is not there any more it is started anew. */
  void failedWith(Throwable cause) {
    if (isCode(cause, Code.NO_SUCH_ACTOR)) {
      replace();
    }
  }

  /** Ends it, if it is there, and starts another. */
  void replace() {
    if (changes || isOver()) {
      return;
    }
    changes = true;
    ref = null;
    again();
  }

  /** Returns whether the guard has ended: the child may be that of another guard by now. */
  private boolean isOver() {
    return over || guardEnvironment.isOver();
  }

  private void again() {
    if (isOver()) {
      return;
    }
    attempted(guardEnvironment::stop)
        .compose(v -> spawned())
        .onSuccess(
            v -> {
              changes = false;
              isThere.run();
            })
        .onFailure(this::notReplaced);
  }

  private void notReplaced(Throwable cause) {
    if (!isOver()) {
      log.warn("the actor of a guard could not be replaced yet, it is tried again", cause);
      Time.Alarm unused = guardEnvironment.after(PAUSE, this::again);
    }
  }

  /** Ends this class: nothing more is started. */
  void end() {
    over = true;
    ref = null;
  }
}
