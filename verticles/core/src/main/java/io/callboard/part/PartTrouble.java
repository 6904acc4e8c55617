package io.callboard.part;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong now with a part of a node, for operators: the page, {@code callboard
 * doctor} and {@code GET /attention} list it.
 *
 * @param subject name of what is wrong, which stays the same while it is
 * @param critical whether something does not work; else it works less well than it should, or will
 *     not for long
 * @param since since when; null for the time at which an operator's node sees it first
 * @param cause why, in one line
 * @param remedy the one thing to do
 */
public record PartTrouble(
    String subject, boolean critical, @Nullable Instant since, String cause, String remedy) {
  /** Checks that the texts are there. */
  public PartTrouble {
    Objects.requireNonNull(subject, "the subject is null: name what is wrong");
    Objects.requireNonNull(cause, "the cause is null: say why");
    Objects.requireNonNull(remedy, "the remedy is null: say what to do");
  }
}
