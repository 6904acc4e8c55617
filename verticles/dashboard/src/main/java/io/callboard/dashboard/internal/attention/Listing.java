package io.callboard.dashboard.internal.attention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * List of what was found, and what it lacks.
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

  /** Returns a listing of which nothing is missing. */
  static <T> Listing<T> whole(List<T> items) {
    return new Listing<>(items, false, null);
  }
}
