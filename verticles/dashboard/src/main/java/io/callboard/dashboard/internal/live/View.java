package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Current rows of a topic, shared by all its watchers. Each row is encoded once, whatever their
 * number. Not thread-safe.
 */
final class View {
  private final LiveTopic topic;
  private Map<String, String> rows = Map.of();
  private long seq;
  private boolean loaded;
  private @Nullable Failure failure;

  /** Difference between two readings: encoded rows by key, and removed keys. */
  record Change(Map<String, String> up, Set<String> gone) {}

  /** Failure of a reading. */
  record Failure(String code, String detail) {}

  View(LiveTopic topic) {
    this.topic = topic;
  }

  LiveTopic topic() {
    return topic;
  }

  /** Returns whether the rows are known: not before the first reading, nor after a failed one. */
  boolean loaded() {
    return loaded;
  }

  /** Returns why the last reading failed; null if it did not. */
  @Nullable Failure failure() {
    return failure;
  }

  long seq() {
    return seq;
  }

  Map<String, String> rows() {
    return rows;
  }

  /**
   * Replaces the rows by those of a new reading.
   *
   * @return the difference
   */
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

  /** Records a failed reading: the rows may be old, so they are not sent as current. */
  void failed(String code, String detail) {
    loaded = false;
    failure = new Failure(code, detail);
  }
}
