/**
 * Operations of the REST contract: each reads a model or sends a message, and answers.
 *
 * <p>A class for each subject: actors, cell, dead letters, grid, jobs, types, and the root with
 * health and metrics. An operation gets a {@link io.callboard.dashboard.contract.Call} that was
 * checked against the contract. Logs are followed as server-sent events ({@link
 * io.callboard.dashboard.rest.LogFollow}): a failure that may pass is reported and waited out.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.rest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
