package io.callboard.pollers.internal.feed;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entry of a feed as a message has it.
 *
 * @param published when it says that it was published; null if it does not
 */
record FeedItem(String id, Buffer body, Map<String, String> headers, @Nullable Instant published) {}
