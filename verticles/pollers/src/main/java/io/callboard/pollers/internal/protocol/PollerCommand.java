package io.callboard.pollers.internal.protocol;

import io.callboard.jobs.model.JobEnded;
import io.callboard.workflows.model.MessageReceipt;

/** Commands of the poller of a source. */
public sealed interface PollerCommand {
  /**
   * Asks for the view of the poller; answered with {@link io.callboard.pollers.model.SourceView}.
   */
  record Look() implements PollerCommand {}

  /**
   * The durable state of its source has changed.
   *
   * @param state the state
   */
  record Changed(SourceState state) implements PollerCommand {}

  /**
   * A message is settled.
   *
   * @param receipt its receipt
   */
  record MessageSettled(MessageReceipt receipt) implements PollerCommand {}

  /**
   * The job of a message has ended.
   *
   * @param ended the notice
   */
  record MessageJobDone(JobEnded ended) implements PollerCommand {}
}
