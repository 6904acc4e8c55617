package io.callboard.zookeeper.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Actors that their owner believes not to be stored, and for which a sender may have made an empty
 * record with their mailbox. Such a record says nothing, so the first write replaces it. A refused
 * commit shows that there may be some; then the records of all its first writes are read. Any
 * thread.
 */
final class EmptyRecords {
  private static final int MOST_SUSPECTS = 100_000;

  /**
   * An empty record as it is made; one in another form, or damaged, is left to the next reading.
   */
  private static final byte[] EMPTY = ActorRecord.EMPTY.encode();

  /** Actors, each with whether its record was the one that existed, not only one beside it. */
  private final Map<ActorPath, Boolean> suspects = new ConcurrentHashMap<>();

  /**
   * Notes the first writes of a commit that was refused because a record exists.
   *
   * @return whether the record of {@code culprit} is worth a look: not for the second time
   */
  boolean suspect(ActorPath culprit, List<Write> writes) {
    if (Boolean.TRUE.equals(suspects.remove(culprit))
        || writes.stream().noneMatch(w -> w.isFirst() && w.actor().equals(culprit))) {
      return false;
    }
    if (suspects.size() >= MOST_SUSPECTS) {
      suspects.clear(); // their commits are refused once more
    }
    writes.stream().filter(Write::isFirst).forEach(w -> suspects.putIfAbsent(w.actor(), false));
    suspects.put(culprit, true);
    return true;
  }

  /** Completes with those of the actors first written that have an empty record. */
  Future<Set<ActorPath>> find(Handle handle, Layout layout, List<Write> writes) {
    Map<String, ActorPath> paths = new LinkedHashMap<>();
    writes.stream()
        .filter(w -> w.isFirst() && suspects.containsKey(w.actor()))
        .forEach(w -> paths.put(layout.record(w.actor()), w.actor()));
    if (paths.isEmpty()) {
      return Future.succeededFuture(Set.of());
    }
    return BulkReads.small(handle, List.copyOf(paths.keySet()))
        .map(
            nodes -> {
              Set<ActorPath> empty = new HashSet<>();
              paths.forEach(
                  (path, actor) -> {
                    Handle.Node node = nodes.get(path);
                    if (node != null && isEmpty(node)) {
                      empty.add(actor);
                    }
                  });
              return empty;
            });
  }

  private static boolean isEmpty(Handle.Node node) {
    return node.stat().getVersion() == 0 && Arrays.equals(node.data(), EMPTY);
  }

  /** Notes that the actor is stored. */
  void settled(ActorPath actor) {
    suspects.remove(actor);
  }
}
