package io.callboard.workflows.internal.intake;

import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Effect for the actor of a message to carry out, in the turn that commits the events or after it.
 */
public sealed interface IntakeEffect {
  /**
   * Asks the builder, after the commit.
   *
   * @param ask number of the question, which its answer repeats
   * @param next outcome of the last instance, for the question what is next; null for the first
   *     instance
   */
  record Ask(long ask, @Nullable InstanceState next) implements IntakeEffect {}

  /**
   * Starts an instance, in the turn.
   *
   * @param instance its id
   * @param start the instance
   */
  record Start(String instance, IntakeStart start) implements IntakeEffect {}

  /**
   * Reports the settlement, in the turn.
   *
   * @param path path of the actor to which it is told
   * @param receipt the receipt
   */
  record Settle(String path, MessageReceipt receipt) implements IntakeEffect {}

  /**
   * Sets the durable timer, in the turn.
   *
   * @param dueAt when
   */
  record Remind(Instant dueAt) implements IntakeEffect {}

  /** Cancels the durable timer, in the turn: a receipt that is only kept is not held in memory. */
  record Rest() implements IntakeEffect {}

  /** Deletes the message, in the turn: its receipt is not kept any longer. */
  record Forget() implements IntakeEffect {}
}
