package io.callboard.journal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operator's request for a one-time recovery of a persistent actor: from all events, or up to an
 * earlier one.
 *
 * @param event the number of the last event that counts: the state is to be as it was after that; 0
 *     for none; null for all events, without the help of snapshots
 * @param why what the operator says, which is written with it
 * @hidden for the toolkit alone
 */
public record Redo(@Nullable Long event, String why) {
  /** Characters of a reason. */
  public static final int MOST_CHARS = 1_000;

  /**
   * Creates a request.
   *
   * @throws IllegalArgumentException for a number below 0, or a reason that is too long
   */
  public Redo {
    Objects.requireNonNull(why, "why is null: give a reason, or an empty text");
    if (event != null && event < 0) {
      throw new IllegalArgumentException(
          "%d is not the number of an event: they count from 1, and 0 is the state before the first"
              .formatted(event));
    } else if (why.length() > MOST_CHARS) {
      throw new IllegalArgumentException(
          "the reason has %d characters, at most %d are kept".formatted(why.length(), MOST_CHARS));
    }
    why = why.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " "); // it goes into logs, too
  }

  /** Returns the last event that counts. */
  long until() {
    return event == null ? Long.MAX_VALUE : event;
  }

  /** Returns whether a stored state as of event {@code of} can be the base of the recovery. */
  boolean helps(long of) {
    return event != null && of <= event;
  }
}
