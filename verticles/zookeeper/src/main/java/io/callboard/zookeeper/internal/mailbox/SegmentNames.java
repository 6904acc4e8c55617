package io.callboard.zookeeper.internal.mailbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Generation;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Znode names of segments that were read, created or pushed here, and not yet consumed: a name
 * holds more than its sequence.
 */
public final class SegmentNames {
  private final Map<ActorPath, Map<Long, String>> names = new ConcurrentHashMap<>();

  /** Records the name of a segment. */
  public void put(ActorPath actor, Layout.SegmentName segment) {
    names
        .computeIfAbsent(actor, a -> new ConcurrentHashMap<>())
        .put(segment.sequence(), segment.node());
  }

  /** Returns the name of a segment; null if it is not known. */
  public @Nullable String get(ActorPath actor, long sequence) {
    return names.getOrDefault(actor, Map.of()).get(sequence);
  }

  /** Finds the names of segments that {@code writes} consume and that were not read here. */
  public Future<Void> find(Handle handle, Layout layout, List<Write> writes) {
    List<Future<Void>> lists = new ArrayList<>();
    for (Write write : writes) {
      if (!names.getOrDefault(write.actor(), Map.of()).keySet().containsAll(write.consumed())) {
        lists.add(list(handle, layout, write));
      }
    }
    return Future.all(lists).mapEmpty();
  }

  private Future<Void> list(Handle handle, Layout layout, Write write) {
    List<Future<Void>> lists = new ArrayList<>();
    write.consumed().stream()
        .map(Generation::of)
        .distinct()
        .forEach(generation -> lists.add(list(handle, layout, write, generation)));
    return Future.all(lists).mapEmpty();
  }

  private Future<Void> list(Handle handle, Layout layout, Write write, long generation) {
    return handle
        .children(layout.mailbox(write.actor(), generation))
        .map(
            found -> {
              for (String node : found.orElse(List.of())) {
                if (!Layout.SegmentName.is(node)) {
                  continue;
                }
                Layout.SegmentName segment = Layout.SegmentName.parse(generation, node);
                if (write.consumed().contains(segment.sequence())) {
                  put(write.actor(), segment);
                }
              }
              return null;
            });
  }

  /** Forgets segments that were consumed. */
  public void consumed(ActorPath actor, List<Long> sequences) {
    names.computeIfPresent(
        actor,
        (a, known) -> {
          known.keySet().removeAll(sequences);
          return known.isEmpty() ? null : known;
        });
  }

  /** Forgets all segments of an actor. */
  public void forget(ActorPath actor) {
    names.remove(actor);
  }

  /** Forgets the names of a partition that this node no longer owns. */
  public void forget(Partition partition, int partitions) {
    names.keySet().removeIf(actor -> actor.partition(partitions).equals(partition));
  }
}
