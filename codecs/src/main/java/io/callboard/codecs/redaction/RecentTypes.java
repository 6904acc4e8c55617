package io.callboard.codecs.redaction;

import com.fasterxml.jackson.databind.JavaType;
import io.callboard.codecs.BoundedMap;
import java.util.Map;
import java.util.function.Function;

/** Cache of what was found of the types that were asked for last. Thread-safe. */
final class RecentTypes<V> {
  /** Maximum number of types; the one that was asked for longest ago is forgotten. */
  static final int MOST = 1_000;

  private final Function<JavaType, V> look;
  private final Map<JavaType, V> found = BoundedMap.ofRecent(MOST);

  /**
   * Creates it, without a type.
   *
   * @param look finds out what is asked for, and may be called more than once at a time
   */
  RecentTypes(Function<JavaType, V> look) {
    this.look = look;
  }

  /** Returns what is found of a type. */
  V get(JavaType type) {
    synchronized (found) {
      V before = found.get(type);
      if (before != null) {
        return before;
      }
    }
    V now = look.apply(type);
    synchronized (found) {
      found.put(type, now);
    }
    return now;
  }
}
