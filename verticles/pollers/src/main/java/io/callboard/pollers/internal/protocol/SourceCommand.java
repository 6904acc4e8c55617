package io.callboard.pollers.internal.protocol;

import io.callboard.jobs.model.JobEnded;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Instant;

/** Commands of the actor of a source. */
public sealed interface SourceCommand {
  /**
   * Changes the mode of the source; answered with {@link SourceState}.
   *
   * @param mode what they want
   * @param by who wants it, for people
   * @param at when
   */
  record Change(SourceMode mode, String by, Instant at) implements SourceCommand {}

  /**
   * Its poller has counted.
   *
   * @param more numbers since it told the last ones
   */
  record Count(SourceTotals more) implements SourceCommand {}

  /**
   * A message that started a workflow is settled.
   *
   * @param receipt its receipt
   */
  record Settled(MessageReceipt receipt) implements SourceCommand {}

  /**
   * The job of a message has ended.
   *
   * @param ended the notice
   */
  record JobDone(JobEnded ended) implements SourceCommand {}
}
