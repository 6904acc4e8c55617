package io.callboard.internal.node;

import io.callboard.admin.ActorStatus;
import io.callboard.internal.lifecycle.ActorRunner;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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

  /** Returns a search for those whose path contains a text. */
  static ActorSearch named(String part, int limit) {
    Objects.requireNonNull(part, "part is null: give a text that the paths contain");
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + ": give 1 or more");
    }
    return new ActorSearch(part, limit);
  }

  /** Returns the first that match, the application's before the toolkit's. Any thread, once. */
  List<ActorStatus> in(LocalActors actors) {
    actors.each(this::look);
    return first.stream().map(ActorRunner::status).toList();
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
