package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosted actors that have deleted themselves and are not in memory: their records are removed when
 * no push for them can be under way any more. Called on the durable context.
 *
 * <p>If the partition is lost before, a record stays; it is that of an actor without state.
 */
final class DeletedActors {
  private static final Logger log = LoggerFactory.getLogger(DeletedActors.class);

  /** Time after which a record is removed: longer than any push can be under way. */
  private static final long REMOVED_AFTER_NANOS = 30_000_000_000L;

  private final NodeContext node;
  private final Store store;
  private final ActiveActors activeActors;
  private final Function<ActorPath, Optional<Lease>> leases;

  /** What is left of each, in the order in which they left memory. */
  private final Map<ActorPath, Left> all = new LinkedHashMap<>();

  private record Left(StoredRecord remains, long sinceNs) {}

  /**
   * @param leases returns the lease of a path; empty if this node has none
   */
  DeletedActors(
      NodeContext node,
      Store store,
      ActiveActors activeActors,
      Function<ActorPath, Optional<Lease>> leases) {
    this.node = node;
    this.store = store;
    this.activeActors = activeActors;
    this.leases = leases;
  }

  /** Adds an actor that leaves memory. */
  void add(ActorPath path, StoredRecord remains) {
    all.remove(path); // which would keep its old place
    all.put(path, new Left(remains, node.nanoTime()));
  }

  /** Removes the records that are due. */
  void sweep() {
    Iterator<Map.Entry<ActorPath, Left>> oldest = all.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<ActorPath, Left> each = oldest.next();
      if (node.nanoTime() - each.getValue().sinceNs() < REMOVED_AFTER_NANOS) {
        return;
      }
      oldest.remove();
      if (activeActors.get(each.getKey()) == null) { // one that began anew comes back, or has state
        activeActors.leaves(each.getKey(), remove(each.getKey(), each.getValue().remains()));
      }
    }
  }

  private Future<Void> remove(ActorPath path, StoredRecord remains) {
    Lease lease = leases.apply(path).orElse(null);
    if (lease == null) {
      return Future.succeededFuture();
    }
    return store
        .remove(path, lease, remains)
        .onFailure(cause -> node.onDurableContext(() -> failed(path, remains, cause)))
        .otherwiseEmpty();
  }

  /** Tries again what another state of the store may allow; what has changed is not left over. */
  private void failed(ActorPath path, StoredRecord remains, Throwable cause) {
    boolean changed =
        cause instanceof StoreException known && known.kind() == StoreException.Kind.CONFLICT;
    log.info(
        "what is stored of {} could not be removed{}: {}",
        path,
        changed ? "" : ", this is tried again",
        cause.getMessage());
    if (!changed) {
      all.putIfAbsent(path, new Left(remains, node.nanoTime()));
    }
  }
}
