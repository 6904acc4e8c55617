/**
 * Operations of the REST contract: each reads a model or sends a message, and answers.
 *
 * <p>A class for each subject: actors, cell, parked messages, grid, jobs, types, and the root with
 * health and metrics. An operation gets a {@link io.callboard.dashboard.internal.contract.Call}
 * that was checked against the contract. Logs are followed as server-sent events ({@link
 * io.callboard.dashboard.internal.rest.LogFollow}): a failure that may pass is reported and waited
 * out.
 *
 * <p><b>Invariants.</b> Every request is answered within a bounded time, except for followed logs.
 * The toolkit's own actors are not stopped by a request.
 *
 * <p><b>Failure window.</b> The node dies, or the time limit passes, after an action and before its
 * answer: the action may have been done, so the client reads the state again.
 *
 * <p>Size: a class for each subject of the contract; they know nothing of each other.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.rest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
