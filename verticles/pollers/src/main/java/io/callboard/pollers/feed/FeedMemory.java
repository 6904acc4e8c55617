package io.callboard.pollers.feed;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;

/** Small durable map of one source, which outlives its clients. Has one client at a time. */
interface FeedMemory {
  /** Returns all of it. */
  Future<Map<String, String>> read();

  /** Changes it; durable when the future succeeds. */
  Future<Void> write(Map<String, String> puts, Collection<String> removed);
}
