package io.callboard.dashboard.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The present rows of a topic, shared by all who watch it. Each row is encoded once, however many
 * they are. Not safe for use by several threads.
 */
final class View {
  private final LiveTopic topic;
  private Map<String, String> rows = Map.of();
  private long seq;
  private boolean loaded;
  private @Nullable Failure failure;

  /** What one reading changed: encoded rows by key, and keys that are gone. */
  record Change(Map<String, String> up, Set<String> gone) {}

  /** Why a reading failed. */
  record Failure(String code, String detail) {}

  View(LiveTopic topic) {
    this.topic = topic;
  }

  LiveTopic topic() {
    return topic;
  }

  /** Whether the rows are known; not before the first reading, nor after one that failed. */
  boolean loaded() {
    return loaded;
  }

  /** Why the last reading failed; null if it did not. */
  @Nullable Failure failure() {
    return failure;
  }

  long seq() {
    return seq;
  }

  Map<String, String> rows() {
    return rows;
  }

  /** Takes a new reading. */
  Change replace(Map<String, ObjectNode> read) {
    Map<String, String> next = new LinkedHashMap<>();
    Map<String, String> up = new LinkedHashMap<>();
    read.forEach(
        (key, row) -> {
          String encoded = row.put("key", key).toString();
          next.put(key, encoded);
          if (!encoded.equals(rows.get(key))) {
            up.put(key, encoded);
          }
        });
    Set<String> gone = new LinkedHashSet<>(rows.keySet());
    gone.removeAll(next.keySet());
    rows = next;
    loaded = true;
    failure = null;
    if (!up.isEmpty() || !gone.isEmpty()) {
      seq++;
    }
    return new Change(up, gone);
  }

  /** A reading failed: what is shown may be old, so it is not told again as live. */
  void failed(String code, String detail) {
    loaded = false;
    failure = new Failure(code, detail);
  }
}
