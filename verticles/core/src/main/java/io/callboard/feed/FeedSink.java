package io.callboard.feed;

import io.callboard.journal.FeedEvent;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port to which a feed writes its events before it sends them to its subscribers. */
public interface FeedSink {
  /** Sink that writes nothing. */
  FeedSink NONE =
      new FeedSink() {
        @Override
        public String id() {
          return "";
        }

        @Override
        public Future<Void> write(List<FeedEvent> events, boolean begins) {
          return Future.succeededFuture();
        }
      };

  /**
   * Returns the id of the target, the same on all nodes. A feed that was written to one target is
   * never written to another. Empty for none; null while it is not known, so that nothing can be
   * written.
   */
  @Nullable String id();

  /**
   * Writes events atomically, in the order of their positions. Events may be repeated with the same
   * positions and content, and must be written once. Called on the feed's context.
   *
   * @param events of one feed, not empty
   * @param begins whether nothing of this feed was written before: then the first position may be
   *     any, else it follows the last one that was written
   * @return if it fails with a {@link io.callboard.store.StoreException} of kind {@code
   *     UNAVAILABLE}, it is tried again after a pause, for as long as it takes; any other failure
   *     is the feed's, as if a handler had failed
   */
  Future<Void> write(List<FeedEvent> events, boolean begins);
}
