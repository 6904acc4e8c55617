package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ZoneStatus;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.zone.Zones;
import io.callboard.store.Store;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Time limit of a node's close: parts blocked by an event loop are left behind, and the actor or
 * code that blocks it is reported. It waits neither on an event loop nor on a zone itself.
 */
final class CloseLimit {
  /**
   * Time after which a silent event loop, or a part of the close that has not ended, is left
   * behind.
   */
  static final Duration SILENCE = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(CloseLimit.class);
  private static final int MOST_HOLDERS = 3;

  private final NodeContext node;
  private final Zones zones;
  private final Store store;
  private final NodeEnd end;

  CloseLimit(NodeContext node, Zones zones, Store store, NodeEnd end) {
    this.node = node;
    this.zones = zones;
    this.store = store;
    this.end = end;
  }

  /** Runs {@code late} on a thread of its own, unless {@code awaited} has completed by then. */
  static void unlessSoon(Future<?> awaited, Runnable late) {
    CompletableFuture<Void> time = new CompletableFuture<>();
    var unused =
        time.orTimeout(SILENCE.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (soon, tooLate) -> {
                  if (tooLate != null) {
                    onThreadOfItsOwn(late);
                  }
                });
    awaited.onComplete(done -> time.complete(null));
  }

  private static void onThreadOfItsOwn(Runnable task) {
    Thread thread = new Thread(task, "callboard-close");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns the end of a node, or of its start, for a caller. Completes on the caller's context;
   * for threads that have none, on a thread of its own: the event loops may be held, or gone.
   */
  static <T> Future<T> told(Future<T> end) {
    ContextInternal caller = ContextInternal.current();
    if (caller == null && end.isComplete()) {
      return end;
    }
    Promise<T> told = caller == null ? Promise.promise() : caller.promise();
    end.onComplete(
        done -> {
          if (caller == null) {
            onThreadOfItsOwn(() -> told.handle(done));
          } else {
            told.handle(done);
          }
        });
    return told.future();
  }

  /**
   * Completes with the result of {@code close} on the durable context; fails if that context is
   * silent meanwhile. Completes on the caller's context; for threads that have none, anywhere.
   */
  Future<Void> of(Supplier<Future<Void>> close) {
    ContextInternal caller = ContextInternal.current();
    Promise<Void> done = caller == null ? Promise.promise() : caller.promise();
    Promise<Void> closed = Promise.promise();
    node.fromDurableContext(closed, close)
        .onComplete(
            end -> {
              var unused = end.succeeded() ? done.tryComplete() : done.tryFail(end.cause());
            });
    look(done);
    return done.future();
  }

  private void look(Promise<Void> done) {
    Promise<Void> sign = Promise.promise();
    node.onDurableContext(sign, sign::tryComplete);
    unlessSoon(
        done.future(),
        () -> {
          if (done.future().isComplete()) {
            return; // and its caller's event loop is held
          } else if (sign.future().isComplete()) {
            look(done);
          } else {
            giveUp(done);
          }
        });
  }

  /**
   * Gives up the store's session, so that the cell need not wait for this node: others take over
   * what it owned.
   */
  private void giveUp(Promise<Void> done) {
    CallboardException held =
        new CallboardException(
            Code.TIMEOUT,
            "node %s could not close: an event loop that it needs has been blocked for %d s by %s; the rest of the node ends when that does"
                .formatted(node.node(), SILENCE.toSeconds(), holders(zones)));
    log.error("{}", Causes.message(held));
    store.close().onFailure(NodeContext::reportedElsewhere);
    var unused = done.tryFail(held);
    end.notClosed(held);
  }

  /** Returns the names of the actors or code that block event loops now. */
  static String holders(Zones zones) {
    String holders =
        zones.status().stream()
            .filter(zone -> zone.kind().equals("event-loop"))
            .flatMap(zone -> zone.blocked().stream())
            .map(CloseLimit::holder)
            .distinct()
            .limit(MOST_HOLDERS)
            .collect(Collectors.joining(", "));
    return holders.isEmpty() ? "an unknown task" : holders;
  }

  private static String holder(ZoneStatus.Blocked blocked) {
    String who = blocked.actor();
    String where = blocked.stack().isEmpty() ? "" : " at " + blocked.stack().get(0);
    return who == null ? blocked.thread() + where : who;
  }
}
