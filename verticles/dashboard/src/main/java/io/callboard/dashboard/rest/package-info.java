/**
 * Operations of the REST contract: each reads a model or sends a message, and answers.
 *
 * <p>A class for each subject: actors, cell, parked messages, grid, jobs, types, and the root with
 * health and metrics. An operation gets a {@link io.callboard.dashboard.contract.Call} that was
 * checked against the contract. Logs are followed as server-sent events ({@link
 * io.callboard.dashboard.rest.LogFollow}): a failure that may pass is reported and waited out.
 *
 * <p><b>Invariants.</b> Every answer comes within a bounded time, but for logs that are followed.
 * The toolkit's own actors are not stopped by a request.
 *
 * <p><b>Failure window.</b> The node dies, or the time is over, after an act and before its answer:
 * the act may be done; the client looks again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.rest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
