package io.callboard.workflows.starts;

/** Events of the workflow master. */
public sealed interface MasterEvent {
  /**
   * A start desk began.
   *
   * @param epoch its epoch
   */
  record DeskOpened(long epoch) implements MasterEvent {}

  /**
   * A brake has changed; its newest change says why.
   *
   * @param brake state of the brake
   */
  record BrakeChanged(BrakeState brake) implements MasterEvent {}

  /**
   * The weight of a definition has changed.
   *
   * @param definition name of the definition
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  record Weighed(String definition, int weight) implements MasterEvent {}
}
