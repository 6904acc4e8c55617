package io.callboard.internal.turn;

import io.callboard.codecs.OutboxEntryKind;
import io.callboard.store.OutboxChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Change that a turn makes to a durable timer or a delivery.
 *
 * @param number of the entry
 * @param entry the entry from now on; null if it ends
 * @param isNew whether there was none of that number
 */
public record OutboxEntryChange(long number, @Nullable OutboxEntryKind entry, boolean isNew) {
  /** Returns the highest number given with {@code changes}, or {@code before}. */
  public static long given(long before, List<OutboxEntryChange> changes) {
    long given = before;
    for (OutboxEntryChange change : changes) {
      given = change.isNew() ? Math.max(given, change.number()) : given;
    }
    return given;
  }

  /** Returns the change of the outbox that a commit writes for all of them, in order. */
  public static OutboxChange written(List<OutboxEntryChange> changes) {
    if (changes.isEmpty()) {
      return OutboxChange.NONE;
    }
    Set<Long> fresh = new HashSet<>();
    Map<Long, OutboxEntryChange> last = new LinkedHashMap<>();
    for (OutboxEntryChange change : changes) {
      if (change.isNew()) {
        fresh.add(change.number());
      }
      last.put(change.number(), change);
    }
    Map<Long, byte[]> made = new LinkedHashMap<>();
    Map<Long, byte[]> kept = new LinkedHashMap<>();
    List<Long> gone = new ArrayList<>();
    last.forEach(
        (number, change) -> {
          OutboxEntryKind entry = change.entry();
          if (entry != null) {
            (fresh.contains(number) ? made : kept).put(number, entry.encode());
          } else if (!fresh.contains(number)) {
            gone.add(number);
          }
        });
    return made.isEmpty() && kept.isEmpty() && gone.isEmpty()
        ? OutboxChange.NONE
        : new OutboxChange(made, kept, gone);
  }
}
