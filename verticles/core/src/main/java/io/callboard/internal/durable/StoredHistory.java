package io.callboard.internal.durable;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of one durable actor in the store: what its owners before have written is read before
 * this one writes, so that it goes on. Made at the first failure here, or when it is shown. On the
 * durable context.
 */
final class StoredHistory {
  private final NodeContext node;
  private final Store store;
  private final ActorPath path;
  private final ActorHistory history;
  private final Supplier<@Nullable Lease> lease;
  private @Nullable Future<Void> reading;
  private boolean changed;

  /**
   * @param lease under which this node may write it; null if another one may
   */
  StoredHistory(
      NodeContext node,
      Store store,
      ActorPath path,
      ActorHistory history,
      Supplier<@Nullable Lease> lease) {
    this.node = node;
    this.store = store;
    this.path = path;
    this.history = history;
    this.lease = lease;
  }

  ActorPath path() {
    return path;
  }

  /** There is something that the store does not know. */
  void changes() {
    changed = true;
  }

  boolean isChanged() {
    return changed;
  }

  /** Another node goes on with it: what that writes is read before this one writes again. */
  void disowned() {
    reading = null;
  }

  /** Completes when all that is known of it is in memory; fails if it cannot be read. */
  Future<Void> read() {
    if (reading == null || reading.failed()) {
      reading =
          store
              .failures(path)
              .map(
                  found -> {
                    history.merge(found);
                    return null;
                  });
    }
    return reading;
  }

  /** Writes it as it is then, unless it is another node's; never throws. */
  Future<Void> write() {
    if (lease.get() == null) {
      changed = false;
      return Future.succeededFuture();
    }
    return read().compose(v -> node.fromDurableContext(Promise.promise(), this::put));
  }

  private Future<Void> put() {
    Lease owned = lease.get();
    changed = false;
    return owned == null
        ? Future.succeededFuture()
        : store.keepFailures(path, owned, history.failures()).recover(this::notKept);
  }

  /** What is not kept is tried with the next failure, but not by a node that owns it no more. */
  private Future<Void> notKept(Throwable cause) {
    if (cause instanceof StoreException failure && failure.kind() == StoreException.Kind.CONFLICT) {
      return Future.succeededFuture();
    }
    node.onDurableContext(this::changes);
    return Future.failedFuture(cause);
  }
}
