package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of the brake of a definition.
 *
 * @param definition name of the definition
 * @param level its level, by its measurements
 * @param credit how many instances that began since may run at once, at level REDUCED
 * @param ceiling credit from which on the brake is off again
 * @param bad number of bad windows in a row
 * @param on when it left the level OFF, or the override was set; what began earlier counts not
 * @param since when it came to its level
 * @param cause why, a sentence
 * @param override what an operator has set instead; null for nothing
 * @param changes its last changes, the newest first
 */
public record BrakeState(
    String definition,
    BrakeLevel level,
    int credit,
    int ceiling,
    int bad,
    Instant on,
    Instant since,
    String cause,
    @Nullable BrakeOverride override,
    List<BrakeChange> changes) {
  /** Maximum number of changes that are kept here; the journal has more. */
  public static final int MOST_CHANGES = 20;

  /** Copies the changes. */
  public BrakeState {
    changes = List.copyOf(changes);
  }

  /** Returns the state of a brake that has never been on. */
  public static BrakeState off(String definition, Instant now) {
    return new BrakeState(
        definition, BrakeLevel.OFF, 0, 0, 0, now, now, "nothing was wrong", null, List.of());
  }

  /** Returns whether the state is that of a brake that was never on, but for its history. */
  // written only: without this it would be read as a field of a newer version
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isDefault() {
    return level == BrakeLevel.OFF && override == null;
  }

  /** Returns the credit that is in force; null for any number. */
  public @Nullable Integer inForce() {
    if (override != null) {
      return override.credit();
    }
    return switch (level) {
      case OFF -> null;
      case REDUCED -> credit;
      case OPEN -> 1;
    };
  }

  /** Returns whether a credit is in force, by the measurements or by an operator. */
  public boolean braked() {
    return inForce() != null;
  }

  /** Returns the state after a change by the measurements. */
  public BrakeState changed(
      BrakeLevel next, int itsCredit, int itsCeiling, int itsBad, String why, Instant now) {
    BrakeState after =
        new BrakeState(
            definition,
            next,
            itsCredit,
            itsCeiling,
            itsBad,
            level == BrakeLevel.OFF ? now : on,
            level == next ? since : now,
            why,
            override,
            changes);
    return after.noted(why, now);
  }

  /** Returns the state after an operator has set or removed an override. */
  public BrakeState overridden(@Nullable BrakeOverride by, String why, Instant now) {
    BrakeState after =
        new BrakeState(definition, BrakeLevel.OFF, 0, 0, 0, now, now, why, by, changes);
    return after.noted(why, now);
  }

  private BrakeState noted(String why, Instant now) {
    List<BrakeChange> all = new ArrayList<>();
    all.add(new BrakeChange(level, inForce(), why, now));
    all.addAll(changes.subList(0, Math.min(changes.size(), MOST_CHANGES - 1)));
    return new BrakeState(definition, level, credit, ceiling, bad, on, since, cause, override, all);
  }
}
