package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the parts of a node in order, the store last, and closes them in the reverse order. */
final class NodeLifecycle {
  private final NodeContext node;
  private final Store store;
  private final List<Supplier<Future<Void>>> starts;
  private final Consumer<Session> opened;
  private final Shutdown shutdown;
  private @Nullable Promise<Void> closing;

  /**
   * @param starts start, in order, the parts that run before the store is open
   * @param opened makes and starts the parts that use the session of the store; called on the
   *     durable context
   */
  NodeLifecycle(
      NodeContext node,
      Store store,
      List<Supplier<Future<Void>>> starts,
      Consumer<Session> opened,
      Shutdown shutdown) {
    this.node = node;
    this.store = store;
    this.starts = starts;
    this.opened = opened;
    this.shutdown = shutdown;
  }

  Future<Void> open() {
    Future<Void> started = Future.succeededFuture();
    for (Supplier<Future<Void>> start : starts) {
      started = started.compose(v -> start.get());
    }
    return started.compose(v -> store.open(identity())).compose(this::ready);
  }

  private NodeIdentity identity() {
    String home = node.options().homeId();
    return new NodeIdentity(node.node(), node.bootId(), home.isEmpty() ? node.bootId() : home);
  }

  private Future<Void> ready(Session session) {
    Promise<Void> done = Promise.promise();
    node.onDurableContext(
        done,
        () -> {
          if (closing != null) {
            done.fail(CallboardException.stopped("this node"));
            return;
          }
          opened.accept(session);
          done.complete();
        });
    return done.future();
  }

  /**
   * Closes the node. On the durable context; the first call closes, all complete when that is done.
   */
  Future<Void> close() {
    if (closing == null) {
      closing = Promise.promise();
      node.closing();
      shutdown.run().onComplete(closing);
    }
    return closing.future();
  }
}
