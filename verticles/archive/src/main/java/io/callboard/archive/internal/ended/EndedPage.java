package io.callboard.archive.internal.ended;

import java.util.List;

/**
 * Page of a list of what has ended.
 *
 * @param <V> views of the rows
 * @param rows those that can be read, in the order of the list
 * @param more whether others may follow the last of them
 * @param missing whether the database did not answer, or no row of a full page could be read
 */
public record EndedPage<V>(List<V> rows, boolean more, boolean missing) {
  /** Returns a page without a row, as there is none, or as they are missing. */
  public static <V> EndedPage<V> empty(boolean missing) {
    return new EndedPage<>(List.of(), false, missing);
  }
}
