package io.callboard.examples.search;

import io.callboard.ActorStatus.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when a tree is to be restarted as a whole: when one of its actors is gone or has failed
 * for good, or when they were restarted more often than is allowed. A machine without I/O; it takes
 * the time as an argument, in milliseconds since 1970.
 */
final class TreeWatch {
  private final Tree tree;
  private final int intensity;
  private final Duration window;
  private final Map<String, Integer> restarts = new HashMap<>();
  private final Deque<Long> times = new ArrayDeque<>();

  /** How an actor was seen. */
  record Sight(String path, State state, int restarts) {}

  /**
   * @param intensity restarts of its actors that are allowed within {@code window}, which slides
   */
  TreeWatch(Tree tree, int intensity, Duration window) {
    this.tree = tree;
    this.intensity = intensity;
    this.window = window;
  }

  /** The tree has been started: all its actors are new. */
  void begin() {
    restarts.clear();
    times.clear();
  }

  /**
   * @param seen all actors of the node, those of other trees too
   * @return why the tree is to be restarted; empty if it is well
   */
  Optional<String> look(long now, List<Sight> seen) {
    Map<String, Sight> here = new HashMap<>();
    seen.forEach(sight -> here.put(sight.path(), sight));
    Optional<String> reason = look(now, tree.head(), here);
    for (int share = 0; share < tree.shares() && reason.isEmpty(); share++) {
      reason = look(now, tree.node(share), here);
    }
    long horizon = now - window.toMillis();
    while (!times.isEmpty() && times.getFirst() <= horizon) {
      times.removeFirst();
    }
    return reason.isEmpty() && times.size() > intensity
        ? Optional.of("more than %d restarts within %s".formatted(intensity, window))
        : reason;
  }

  private Optional<String> look(long now, String path, Map<String, Sight> here) {
    Sight sight = here.get(path);
    if (sight == null) {
      return Optional.of(path + " is gone");
    }
    int before = restarts.getOrDefault(path, 0);
    for (int i = before; i < sight.restarts(); i++) {
      times.addLast(now);
    }
    restarts.put(path, sight.restarts());
    return sight.state() == State.FAILED
        ? Optional.of(path + " has failed for good")
        : Optional.empty();
  }
}
