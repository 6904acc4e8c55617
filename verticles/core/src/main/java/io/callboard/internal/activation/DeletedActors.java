package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
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
 * <p>What is left of an actor that comes back to memory is forgotten: it may have been removed,
 * with an outcome that is unknown, and the record of the next life may have the same version, and
 * state.
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

  /** Remains of each deleted actor, in the order in which they left memory. */
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
    activeActors.onEnter(all::remove);
  }

  /** Adds an actor that leaves memory. */
  void add(ActorPath path, StoredRecord remains) {
    all.remove(path); // which would keep its old place
    all.put(path, new Left(remains, node.nanoTime()));
  }

  /** Removes the records that are due, many of a partition at a time. */
  void sweep() {
    Map<Lease, Deque<Map<ActorPath, StoredRecord>>> due = new LinkedHashMap<>();
    Iterator<Map.Entry<ActorPath, Left>> oldest = all.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<ActorPath, Left> each = oldest.next();
      if (node.nanoTime() - each.getValue().sinceNs() < REMOVED_AFTER_NANOS) {
        break;
      }
      oldest.remove();
      if (activeActors.get(each.getKey()) == null) { // one that began anew comes back, or has state
        leases
            .apply(each.getKey())
            .map(lease -> due.computeIfAbsent(lease, first -> new ArrayDeque<>()))
            .ifPresent(batches -> add(batches, each.getKey(), each.getValue().remains()));
      }
    }
    due.forEach((lease, batches) -> batches.forEach(some -> remove(lease, some)));
  }

  private static void add(
      Deque<Map<ActorPath, StoredRecord>> batches, ActorPath path, StoredRecord remains) {
    if (batches.isEmpty() || batches.getLast().size() == Limits.REMOVED_ACTORS) {
      batches.addLast(new LinkedHashMap<>());
    }
    batches.getLast().put(path, remains);
  }

  /** Removes actors of a partition; none begins anew before it is known what became of it. */
  private void remove(Lease lease, Map<ActorPath, StoredRecord> some) {
    Future<Void> done =
        store
            .remove(lease, some)
            .onSuccess(stay -> node.onDurableContext(() -> stay(some, stay)))
            .onFailure(cause -> node.onDurableContext(() -> failed(lease, some, cause)))
            .<Void>mapEmpty()
            .otherwiseEmpty();
    some.keySet().forEach(path -> activeActors.leaves(path, done));
  }

  private void stay(Map<ActorPath, StoredRecord> some, Map<ActorPath, Throwable> stay) {
    stay.forEach(
        (path, cause) -> {
          log.info(
              "what is stored of {} could not be removed{}: {}",
              path,
              hasChanged(cause) ? "" : ", this is tried again",
              Causes.message(cause));
          StoredRecord remains = some.get(path);
          if (remains != null) {
            again(path, remains, cause);
          }
        });
  }

  private void failed(Lease lease, Map<ActorPath, StoredRecord> some, Throwable cause) {
    log.info(
        "what is stored of {} deleted actors of partition {} could not be removed{}: {}",
        some.size(),
        lease.partition(),
        hasChanged(cause) ? "" : ", this is tried again",
        Causes.message(cause));
    some.forEach((path, remains) -> again(path, remains, cause));
  }

  /** Tries again what another state of the store may allow; what has changed is not left over. */
  private void again(ActorPath path, StoredRecord remains, Throwable cause) {
    if (!hasChanged(cause) && activeActors.get(path) == null) {
      all.putIfAbsent(path, new Left(remains, node.nanoTime()));
    }
  }

  private static boolean hasChanged(Throwable cause) {
    return cause instanceof StoreException known && known.kind() == StoreException.Kind.CONFLICT;
  }
}
