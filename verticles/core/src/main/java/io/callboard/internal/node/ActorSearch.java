package io.callboard.internal.node;

import io.callboard.admin.ActorStatus;
import io.callboard.internal.lifecycle.ActorRunner;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Search for actors of this node by a part of their path: of all that match, only some are kept.
 */
final class ActorSearch {
  private final String part;
  private final int limit;
  private final TreeSet<ActorRunner> first =
      new TreeSet<>(
          Comparator.comparing(ActorRunner::isToolkit)
              .thenComparing(this::isInside)
              .thenComparing(ActorRunner::path));

  private ActorSearch(String part, int limit) {
    this.part = part;
    this.limit = limit;
  }

  /** Returns the first that match, the application's before the toolkit's. Any thread. */
  static List<ActorStatus> named(LocalActors actors, String part, int limit) {
    ActorSearch search = new ActorSearch(part, limit);
    actors.each(search::look);
    return search.first.stream().map(ActorRunner::status).toList();
  }

  private boolean isInside(ActorRunner runner) {
    return !runner.path().toString().startsWith(part);
  }

  private void look(ActorRunner runner) {
    if (runner.path().toString().contains(part) && first.add(runner) && first.size() > limit) {
      ActorRunner unused = first.pollLast();
    }
  }
}
