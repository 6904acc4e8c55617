package io.callboard.jobs.internal.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.callboard.jobs.model.JobSpec;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Waiting run; those of equal rank go in the order of {@code number}.
 *
 * @param runId number of the run within its job
 * @param type name of the type
 * @param priority 0 to 9, higher first
 * @param at when it was enqueued
 * @param notBefore earliest start; null for any time
 * @param expiresAt when it has waited too long; null for never
 * @param number position in the order of enqueueing
 * @param labels labels of its job
 * @param requires labels that its host must have
 */
public record WaitingRun(
    int runId,
    String type,
    int priority,
    Instant at,
    @Nullable Instant notBefore,
    @Nullable Instant expiresAt,
    long number,
    Map<String, String> labels,
    Map<String, String> requires) {
  /** Copies the maps, and takes a priority that an older node let pass as the nearest. */
  public WaitingRun {
    priority = Math.max(0, Math.min(JobSpec.MOST_PRIORITY, priority));
    labels = Map.copyOf(labels);
    requires = Map.copyOf(requires);
  }

  /** Returns whether the number is {@code last} at most; null for any. */
  public boolean wasEnqueuedUpTo(@Nullable Long last) {
    return last == null || number <= last;
  }

  /** Returns the stored form: one line, because thousands of them share one record. */
  @JsonValue
  public String line() {
    String line =
        String.join(
            ",",
            String.valueOf(runId),
            type,
            String.valueOf(priority),
            millis(at),
            millis(notBefore),
            millis(expiresAt),
            String.valueOf(number));
    return labels.isEmpty() && requires.isEmpty()
        ? line
        : String.join(",", line, LabelText.of(labels), LabelText.of(requires));
  }

  /** Returns the run of a stored form, also that of an older node. */
  @JsonCreator
  public static WaitingRun parse(String line) {
    String[] part = line.split(",", -1);
    return new WaitingRun(
        Integer.parseInt(part[0]),
        part[1],
        Integer.parseInt(part[2]),
        Instant.ofEpochMilli(Long.parseLong(part[3])),
        instant(part[4]),
        instant(part[5]),
        Long.parseLong(part[6]),
        part.length > 7 ? LabelText.parse(part[7]) : Map.of(),
        part.length > 8 ? LabelText.parse(part[8]) : Map.of());
  }

  private static String millis(@Nullable Instant instant) {
    return instant == null ? "" : String.valueOf(instant.toEpochMilli());
  }

  private static @Nullable Instant instant(String millis) {
    return millis.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
