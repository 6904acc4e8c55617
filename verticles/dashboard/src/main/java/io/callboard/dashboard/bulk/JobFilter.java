package io.callboard.dashboard.bulk;

import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are meant.
 *
 * @param type name of their type; null for any
 * @param state their state; null for those in which the action is usual
 * @param label {@code key} or {@code key=value}; null for any
 * @param text text in their id, command or a label; null for any
 * @param createdUntil time after which none of them was submitted; null for any
 */
public record JobFilter(
    @Nullable String type,
    @Nullable JobState state,
    @Nullable String label,
    @Nullable String text,
    @Nullable Instant createdUntil) {
  /** Returns what is asked for, for people. */
  public String words() {
    StringJoiner words = new StringJoiner(", ");
    words.setEmptyValue("any");
    add(words, "type", type);
    add(words, "state", state);
    add(words, "label", label);
    add(words, "text", text);
    add(words, "until", createdUntil);
    return words.toString();
  }

  private static void add(StringJoiner words, String name, @Nullable Object value) {
    if (value != null) {
      words.add(name + " " + value);
    }
  }
}
