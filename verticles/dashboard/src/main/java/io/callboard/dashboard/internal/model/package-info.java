/**
 * Models of the node and its cell, as JSON for REST and WebSocket alike.
 *
 * <p>{@link io.callboard.dashboard.internal.model.CellModel} reads on demand and keeps nothing; the
 * classes of rows are pure.
 *
 * <p><b>Invariants.</b> REST and WebSocket show the same rows.
 *
 * <p><b>Failure window.</b> What is read from the store is not of one moment: an actor or a job
 * that changes meanwhile is shown in its old or new state, and a damaged record as unreadable.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
