package io.callboard.store.memory;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Index of the actors of a {@link MemoryCell}: how many each partition has, which of them have
 * mail, and which actors have parked messages. Guarded by the cell.
 */
final class MemoryIndex {
  private final int partitions;
  private final Map<Partition, Integer> actors = new HashMap<>();
  private final Map<Partition, NavigableSet<ActorPath>> withMail = new HashMap<>();
  private final NavigableSet<ActorPath> withParked = new TreeSet<>();

  /**
   * Creates the index of a cell without actors.
   *
   * @param partitions of each space
   */
  MemoryIndex(int partitions) {
    this.partitions = partitions;
  }

  /** Adds an actor that has neither mail nor parked messages. */
  void add(ActorPath path) {
    actors.merge(path.partition(partitions), 1, Integer::sum);
  }

  /** Removes an actor. */
  void remove(ActorPath path) {
    actors.computeIfPresent(
        path.partition(partitions), (p, count) -> count == 1 ? null : count - 1);
    mail(path, false);
    withParked.remove(path);
  }

  /** Notes what an actor has now. */
  void update(ActorPath path, MemoryActor actor) {
    mail(path, actor.hasMail());
    if (actor.hasParked()) {
      withParked.add(path);
    } else {
      withParked.remove(path);
    }
  }

  private void mail(ActorPath path, boolean has) {
    Partition partition = path.partition(partitions);
    if (has) {
      withMail.computeIfAbsent(partition, p -> new TreeSet<>()).add(path);
    } else {
      withMail.computeIfPresent(
          partition,
          (p, paths) -> {
            paths.remove(path);
            return paths.isEmpty() ? null : paths;
          });
    }
  }

  Set<Partition> partitionsWithActors() {
    return Set.copyOf(actors.keySet());
  }

  /** Returns the actors of a partition that have mail, in the order of their paths. */
  List<ActorPath> withMail(Partition partition) {
    NavigableSet<ActorPath> found = withMail.get(partition);
    return found == null ? List.of() : List.copyOf(found);
  }

  /** Returns the actors that have parked messages, in the order of their paths. */
  List<ActorPath> withParked() {
    return List.copyOf(withParked);
  }
}
