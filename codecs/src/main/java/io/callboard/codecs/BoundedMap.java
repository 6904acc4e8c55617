package io.callboard.codecs;

import java.util.LinkedHashMap;
import java.util.Map;

/** Map that forgets its eldest entry when it has more than a number of them. Not thread-safe. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int most;

  private BoundedMap(int most, boolean byAccess) {
    super(16, 0.75f, byAccess);
    this.most = most;
  }

  /** Returns a map of the entries that were put or read last. */
  public static <K, V> Map<K, V> ofRecent(int most) {
    return new BoundedMap<>(most, true);
  }

  /** Returns a map of the entries that were added last. */
  public static <K, V> Map<K, V> ofNewest(int most) {
    return new BoundedMap<>(most, false);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
