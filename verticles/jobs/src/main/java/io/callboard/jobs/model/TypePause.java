package io.callboard.jobs.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pause of a type: by whom, why and since when.
 *
 * @param by who asked for it; null if nobody is named
 * @param reason why, for people; null if none was given
 * @param at when, by the clock of the gate
 */
public record TypePause(@Nullable String by, @Nullable String reason, Instant at) {
  /** Maximum number of characters of each text. */
  public static final int MOST_TEXT = 1_000;

  /**
   * Returns the pause for people, such as {@code by anna since 2026-01-01T00:00:00Z: disk is full}.
   */
  public String text() {
    return (by == null ? "" : "by " + by + " ")
        + "since "
        + at.truncatedTo(ChronoUnit.SECONDS)
        + (reason == null ? "" : ": " + reason);
  }
}
