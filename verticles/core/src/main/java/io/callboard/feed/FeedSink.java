package io.callboard.feed;

import io.callboard.journal.Tagged;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a feed writes its events before it tells them to anybody. */
public interface FeedSink {
  /** Nowhere. */
  FeedSink NONE =
      new FeedSink() {
        @Override
        public String id() {
          return "";
        }

        @Override
        public Future<Void> write(List<Tagged> events, boolean begins) {
          return Future.succeededFuture();
        }
      };

  /**
   * What it writes to, as it names itself: on all nodes the same. A feed that was written there is
   * written nowhere else. Empty for nowhere; null while it is not known, and nothing can be
   * written.
   */
  @Nullable String id();

  /**
   * Writes events, all or none. They come in the order of their positions; some may come again,
   * with the same positions and content, and must be written once. Called on the feed's context.
   *
   * @param events of one feed, not empty
   * @param begins whether nothing of this feed was written before: then the first position may be
   *     any, else it follows the last one that was written
   * @return if it fails with a {@link io.callboard.store.StoreException} of kind {@code
   *     UNAVAILABLE}, it is tried again after a pause, for as long as it takes; any other failure
   *     is the feed's, as if a handler had failed
   */
  Future<Void> write(List<Tagged> events, boolean begins);
}
