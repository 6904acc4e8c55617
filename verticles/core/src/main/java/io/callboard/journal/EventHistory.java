package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.List;

/**
 * Port to an archive of events of persistent actors, from which those that a journal no longer has
 * are read ({@linkplain io.callboard.ActorOptions#archived archived} actors only). Thread-safe.
 */
@FunctionalInterface
public interface EventHistory {
  /**
   * Events of the present life of an actor, in order; they may lag behind its journal.
   *
   * @param begun the turn up to which events belong to a former life
   * @param after the number of the last event that is not wanted; 0 for the first
   * @param limit how many at most
   * @return fails with a {@link io.callboard.store.StoreException} if they cannot be read now
   */
  Future<List<FeedEvent>> events(ActorPath actor, long begun, long after, int limit);
}
