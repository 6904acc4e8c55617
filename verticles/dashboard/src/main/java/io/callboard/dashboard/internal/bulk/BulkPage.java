package io.callboard.dashboard.internal.bulk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Page of the items that match a filter.
 *
 * @param items its items
 * @param next cursor of the next page; null if this is the last
 * @param partial whether others may be missing
 * @param missing nodes that do not answer; empty unless it is partial
 * @param <S> states that an item can be in
 */
public record BulkPage<S extends Enum<S>>(
    List<BulkScope.Reached<S>> items,
    @Nullable String next,
    boolean partial,
    List<String> missing) {
  /** Copies the lists. */
  public BulkPage {
    items = List.copyOf(items);
    missing = List.copyOf(missing);
  }
}
