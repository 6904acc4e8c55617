package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Place of a requested run, as the desk knows it. Not durable.
 *
 * @param key the run
 * @param state QUEUED, ASSIGNED (with a worker that has not begun it), RUNNING or REVOKED (no
 *     worker has confirmed yet that it does not run it)
 * @param worker the worker it is with; null while it is queued
 * @param node node of that worker; null while it is queued
 * @param since since when it is in that state
 * @param ahead number of requests before it in its queue; null unless it is queued
 * @param why why it waits, or does not run any more, for people; null if it runs
 * @param heartbeat last heartbeat of the handler, as of its worker's last report; null for none
 * @param heartbeatAt when its worker got that; null for none, or if it is not known
 */
public record RunPlace(
    StepRunKey key,
    State state,
    @Nullable String worker,
    @Nullable String node,
    Instant since,
    @Nullable Integer ahead,
    @Nullable String why,
    @Nullable JsonNode heartbeat,
    @Nullable Instant heartbeatAt) {
  /** State of a requested run at the desk. */
  public enum State {
    /** State of a run that waits for a worker. */
    QUEUED,
    /**
     * State of a run that was assigned to a worker that has not accepted it yet, or has no thread
     * for it.
     */
    ASSIGNED,
    /** State of a run that a worker runs. */
    RUNNING,
    /** State of a run that was revoked while its worker has not confirmed that yet. */
    REVOKED
  }
}
