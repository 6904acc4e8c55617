package io.callboard.feed;

import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.List;

/** Where a feed writes its events before it tells them to anybody. */
@FunctionalInterface
public interface FeedSink {
  /** Nowhere; what is to be archived waits for a node that has an archive. */
  FeedSink NONE =
      events ->
          events.get(0).feed().equals(Feeds.ARCHIVE)
              ? Future.failedFuture(
                  StoreException.unavailable(
                      "there is no archive on this node, and some actors are to be archived", null))
              : Future.succeededFuture();

  /**
   * Writes events, all or none. They come in the order of their positions; some may come again,
   * with the same positions and content, and must be written once.
   *
   * @param events of one feed, not empty
   * @return if it fails with a {@link io.callboard.store.StoreException} of kind {@code
   *     UNAVAILABLE}, it is tried again after a pause, for as long as it takes; any other failure
   *     is the feed's, as if a handler had failed
   */
  Future<Void> write(List<Tagged> events);
}
