package io.callboard.dashboard.internal.bulk;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items that a bulk action would reach.
 *
 * @param ids ids of the items, the oldest first
 * @param more whether more items match than one request may reach
 * @param total number of all items, as the nodes count them
 * @param oldest when the oldest of them was submitted; null if there is none
 * @param newest when the newest of them was submitted; null if there is none
 * @param byState numbers of them by their state
 * @param incomplete why others may be missing; null if none are
 * @param <S> states that an item can be in
 */
public record BulkScope<S extends Enum<S>>(
    List<String> ids,
    boolean more,
    long total,
    @Nullable Instant oldest,
    @Nullable Instant newest,
    Map<S, Long> byState,
    @Nullable String incomplete) {
  /**
   * Item that a bulk action would reach, without most fields: a whole item may be large.
   *
   * @param id its id; ids are in the order of times, up to a moment
   * @param createdAt when it was submitted
   * @param state its state
   * @param <S> states that an item can be in
   */
  public record Reached<S extends Enum<S>>(String id, Instant createdAt, S state) {}

  /**
   * Returns the scope of these items.
   *
   * @param items the items, the oldest first
   */
  static <S extends Enum<S>> BulkScope<S> of(
      List<Reached<S>> items, boolean more, long total, @Nullable String incomplete) {
    Map<S, Long> byState = new TreeMap<>();
    items.forEach(item -> byState.merge(item.state(), 1L, Long::sum));
    return new BulkScope<>(
        items.stream().map(Reached::id).toList(),
        more,
        total,
        items.stream().map(Reached::createdAt).min(Comparator.naturalOrder()).orElse(null),
        items.stream().map(Reached::createdAt).max(Comparator.naturalOrder()).orElse(null),
        byState,
        incomplete);
  }
}
