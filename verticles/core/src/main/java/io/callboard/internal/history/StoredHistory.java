package io.callboard.internal.history;

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
 * Failure history of one durable actor in the store. The failures written by earlier owners are
 * read before this node writes, so that the history continues. Made at the first failure here, or
 * when it is shown. Used on the durable context.
 */
public final class StoredHistory {
  private final NodeContext node;
  private final Store store;
  private final ActorPath path;
  private final ActorHistory history;
  private final Supplier<@Nullable Lease> lease;
  private @Nullable Future<Void> reading;
  private boolean changed;

  /**
   * @param lease the lease under which this node may write; null if another node may
   */
  public StoredHistory(
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

  /** Marks the history as changed since the last write. */
  void changes() {
    changed = true;
  }

  boolean isChanged() {
    return changed;
  }

  /** Records that another node continues the history: it is read again before this node writes. */
  public void disowned() {
    reading = null;
  }

  /** Reads the stored failures into memory; fails if that is not possible. */
  public Future<Void> read() {
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

  /** Writes the present history, unless another node owns it; never throws. */
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

  /**
   * Handles a failed write: it is tried again with the next failure, but not by a node that no
   * longer owns the actor.
   */
  private Future<Void> notKept(Throwable cause) {
    if (cause instanceof StoreException failure && failure.kind() == StoreException.Kind.CONFLICT) {
      return Future.succeededFuture();
    }
    node.onDurableContext(this::changes);
    return Future.failedFuture(cause);
  }
}
