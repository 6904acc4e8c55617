package io.callboard.workflows.internal.starts;

import io.callboard.codecs.Named;
import io.callboard.workflows.model.BrakeOverride;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the start ledger. */
@Named("master-command")
public sealed interface LedgerCommand {
  /**
   * Opens a new epoch of the start desk; answered with {@link LedgerAnswer.Opened}.
   *
   * @param master life of the start ledger whose child it is, no other one opens it; null from a
   *     node of an earlier version
   */
  record Open(@Nullable String master) implements LedgerCommand {}

  /**
   * Makes changes of brakes durable. One that does not know the present override is ignored.
   *
   * @param epoch epoch of the desk
   * @param brakes states of the brakes
   */
  record Keep(long epoch, List<BrakeState> brakes) implements LedgerCommand {
    /** Copies the list. */
    public Keep {
      brakes = List.copyOf(brakes);
    }
  }

  /**
   * Sets the override of a brake; answered with {@link LedgerAnswer.Done}.
   *
   * @param definition name of the definition
   * @param override the override; null to remove it
   */
  record Override(String definition, @Nullable BrakeOverride override) implements LedgerCommand {}

  /**
   * Sets the weight of a definition among those that wait to begin; answered with {@link
   * LedgerAnswer.Done}.
   *
   * @param definition name of the definition
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  record Weigh(String definition, int weight) implements LedgerCommand {}
}
