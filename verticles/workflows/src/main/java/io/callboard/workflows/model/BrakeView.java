package io.callboard.workflows.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brake of a definition, as users see it.
 *
 * @param definition name of the definition
 * @param level its level, by its measurements
 * @param credit how many instances that began since may run at once; null for any number
 * @param since when it came to its level
 * @param cause why it is at its level, a sentence
 * @param badWindows number of bad windows in a row
 * @param nextProbe when the next probe may begin; null unless it is open
 * @param override what an operator has set instead; null for nothing
 * @param running number of instances that count against the credit
 * @param waiting number of instances that wait for credit
 * @param changes its last changes, the newest first
 */
public record BrakeView(
    String definition,
    BrakeLevel level,
    @Nullable Integer credit,
    Instant since,
    String cause,
    int badWindows,
    @Nullable Instant nextProbe,
    @Nullable BrakeOverride override,
    int running,
    int waiting,
    List<BrakeChange> changes) {
  /** Copies the changes. */
  public BrakeView {
    changes = List.copyOf(changes);
  }

  /** Returns whether instances of the definition wait for credit before they begin. */
  public boolean isOn() {
    return credit != null;
  }

  /** Returns why an instance of the definition has not begun, a sentence. */
  public String why() {
    if (override != null) {
      return "its definition may have %,d instances running that began since %s, as %s has set"
              .formatted(credit, override.at(), override.by())
          + (override.reason() == null ? "" : ": " + override.reason());
    }
    String what =
        level == BrakeLevel.OPEN
            ? "the brake of its definition lets only a probe begin"
            : "the brake of its definition lets %,d instances run that began since"
                .formatted(credit);
    return "%s %s, because %s%s"
        .formatted(
            what,
            since,
            cause,
            nextProbe == null ? "" : "; the next probe may begin at " + nextProbe);
  }
}
