package io.callboard.dashboard.bulk;

import io.callboard.jobs.model.JobState;
import java.time.Instant;
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
  @Override
  public String toString() {
    return "type %s, state %s, label %s, text %s, until %s"
        .formatted(any(type), any(state), any(label), any(text), any(createdUntil));
  }

  private static String any(@Nullable Object value) {
    return value == null ? "any" : String.valueOf(value);
  }
}
