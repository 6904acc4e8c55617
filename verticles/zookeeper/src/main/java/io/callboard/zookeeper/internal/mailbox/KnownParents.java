package io.callboard.zookeeper.internal.mailbox;

import io.callboard.codecs.ActorPath;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Actors whose parent znode of one kind exists, as far as this node knows; a wrong belief is
 * corrected by a refused commit.
 */
public final class KnownParents {
  private static final int MOST_KNOWN = 100_000;

  private final Set<ActorPath> known = ConcurrentHashMap.newKeySet();

  /** Returns whether the actor's parent znode is known. */
  public boolean contains(ActorPath actor) {
    return known.contains(actor);
  }

  /** Records that the actor's parent znode exists. */
  public void add(ActorPath actor) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.add(actor);
  }

  /** Records that the actor's parent znode may not exist. */
  public void remove(ActorPath actor) {
    known.remove(actor);
  }
}
