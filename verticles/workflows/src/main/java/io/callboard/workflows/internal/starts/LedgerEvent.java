package io.callboard.workflows.internal.starts;

import io.callboard.codecs.Named;

/** Events of the start ledger. */
@Named("master-event")
public sealed interface LedgerEvent {
  /**
   * A start desk began.
   *
   * @param epoch its epoch
   */
  record DeskOpened(long epoch) implements LedgerEvent {}

  /**
   * A brake has changed; its newest change says why.
   *
   * @param brake state of the brake
   */
  record BrakeChanged(BrakeState brake) implements LedgerEvent {}

  /**
   * The weight of a definition has changed.
   *
   * @param definition name of the definition
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  record Weighed(String definition, int weight) implements LedgerEvent {}
}
