package io.callboard.pollers.internal.feed;

import io.callboard.pollers.internal.feed.FeedDownload.Validators;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * State that the last client of a feed on a node leaves to the next one there, so that entries that
 * have left the feed meanwhile are not lost when the source is only opened again.
 *
 * @param open entries that it had and that had not ended
 * @param document what its last document is recognised by
 * @param nextNanos when it is time for the next look
 * @param failure why the last look failed; null if it did not, or may be repeated at once
 * @param day day of the epoch on which it ended
 */
record FeedRemains(
    List<FeedQueue.Left> open,
    Validators document,
    long nextNanos,
    @Nullable Throwable failure,
    long day) {
  private static final Map<Vertx, Map<Place, FeedRemains>> LEFT = new WeakHashMap<>();

  /**
   * Source on a node.
   *
   * @param name name of the source
   */
  record Place(String name, URI url) {}

  /** Leaves the state to the next client. */
  void leave(Vertx node, Place place) {
    synchronized (LEFT) {
      LEFT.computeIfAbsent(node, key -> new HashMap<>()).put(place, this);
    }
  }

  /** Removes and returns the state that was left; null for none. */
  static @Nullable FeedRemains take(Vertx node, Place place) {
    synchronized (LEFT) {
      return LEFT.getOrDefault(node, new HashMap<>()).remove(place);
    }
  }
}
