package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actors in partitions of this node that have mail, though nothing here runs them: no other node
 * looks after it. Reported only once it lasts, for an actor may be about to be spawned.
 * Thread-safe.
 */
final class OrphanedMail {
  /** Limit of the actors of a partition that are known by name. */
  static final int MOST = 20;

  private static final Logger log = LoggerFactory.getLogger(OrphanedMail.class);

  private final long graceNanos;
  private final Map<Partition, Map<ActorPath, Long>> since = new HashMap<>();
  private final Map<Partition, Set<ActorPath>> standing = new HashMap<>();

  OrphanedMail(Duration grace) {
    graceNanos = grace.toNanos();
  }

  /**
   * Records the result of a look.
   *
   * @param actors all actors of the partition that have mail and that nothing here runs
   */
  synchronized void saw(Partition partition, List<ActorPath> actors, long nowNanos) {
    Map<ActorPath, Long> before = since.getOrDefault(partition, Map.of());
    Map<ActorPath, Long> now = new HashMap<>();
    Set<ActorPath> lasting = new HashSet<>();
    actors.stream()
        .sorted(Comparator.comparing(ActorPath::toString))
        .limit(MOST)
        .forEach(
            actor -> {
              long first = before.getOrDefault(actor, nowNanos);
              now.put(actor, first);
              if (nowNanos - first >= graceNanos) {
                lasting.add(actor);
              }
            });
    put(since, partition, now, now.isEmpty());
    if (!lasting.isEmpty() && !standing.containsKey(partition)) {
      log.warn(
          "mail waits for {} and {} more actors of partition {}: this node owns "
              + "the partition and does not host them. Host the same actors of a space "
              + "on each node that hosts in it",
          lasting.iterator().next(),
          actors.size() - 1,
          partition);
    }
    put(standing, partition, lasting, lasting.isEmpty());
  }

  private static <V> void put(
      Map<Partition, V> all, Partition partition, V value, boolean nothing) {
    if (nothing) {
      all.remove(partition);
    } else {
      all.put(partition, value);
    }
  }

  /** Forgets a partition that this node has lost. */
  synchronized void lost(Partition partition) {
    since.remove(partition);
    standing.remove(partition);
  }

  /** Returns the actors whose mail has been orphaned for longer than the grace time. */
  synchronized Set<ActorPath> snapshot() {
    Set<ActorPath> all = new HashSet<>();
    standing.values().forEach(all::addAll);
    return all;
  }
}
