package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The znode names of segments that were read and not yet consumed: a name holds more than its sequence. */
final class SegmentNames {
  private final Map<ActorPath, Map<Long, String>> names = new ConcurrentHashMap<>();

  void put(ActorPath actor, Layout.SegmentName segment) {
    names
        .computeIfAbsent(actor, a -> new ConcurrentHashMap<>())
        .put(segment.sequence(), segment.node());
  }

  /** Null if it was never read. */
  @Nullable String get(ActorPath actor, long sequence) {
    return names.getOrDefault(actor, Map.of()).get(sequence);
  }

  void consumed(ActorPath actor, List<Long> sequences) {
    names.computeIfPresent(
        actor,
        (a, known) -> {
          known.keySet().removeAll(sequences);
          return known.isEmpty() ? null : known;
        });
  }

  void forget(ActorPath actor) {
    names.remove(actor);
  }
}
