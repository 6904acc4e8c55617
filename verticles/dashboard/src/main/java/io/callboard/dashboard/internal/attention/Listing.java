package io.callboard.dashboard.internal.attention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * List of found items, with what is missing from it.
 *
 * @param items what was found
 * @param more whether there are more than were asked for
 * @param incomplete why further ones may be missing that nobody knows of; null if none are
 */
public record Listing<T>(List<T> items, boolean more, @Nullable String incomplete) {
  /** Copies the list. */
  public Listing {
    items = List.copyOf(items);
  }

  /** Returns a listing without missing items. */
  static <T> Listing<T> whole(List<T> items) {
    return new Listing<>(items, false, null);
  }
}
