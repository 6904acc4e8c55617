package io.callboard.workflows.internal.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of the request for a run, as the node of its instance knows it. Not durable.
 *
 * @param kind kind of it
 * @param by worker that runs it, or id of the job; null for none yet
 * @param why why it is not queued; null if it is
 * @param since since when
 */
public record RunStatus(Kind kind, @Nullable String by, @Nullable String why, Instant since) {
  /** Kind of a status. */
  public enum Kind {
    /** Status of a run whose request nobody has answered yet. */
    REQUESTED,
    /** The request was refused for now. */
    REFUSED,
    /** The desk has it, and it waits for a worker. */
    QUEUED,
    /** Status of a run that a worker runs. */
    RUNNING,
    /** A job runs it. */
    JOB
  }
}
