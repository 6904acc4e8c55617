package io.callboard.dashboard.internal.bulk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Filter of the items that a bulk action reaches.
 *
 * @param fields the values that are asked for, by the names that the contract has for them; those
 *     that are missing match any item
 * @param createdUntil time after which none of them was submitted; null for any
 */
public record BulkFilter(Map<String, String> fields, @Nullable Instant createdUntil) {
  /** Copies the map, and keeps its order. */
  public BulkFilter {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Returns the value of a field; null for any. */
  @Nullable String field(String name) {
    return fields.get(name);
  }

  /** Returns the state that is asked for; null for those in which the action is usual. */
  public @Nullable String state() {
    return field("state");
  }

  /** Returns the filter in words, for people. */
  public String words() {
    List<String> words = new ArrayList<>();
    fields.forEach((name, value) -> words.add((name.equals("q") ? "text" : name) + " " + value));
    if (createdUntil != null) {
      words.add("until " + createdUntil);
    }
    return words.isEmpty() ? "any" : String.join(", ", words);
  }
}
