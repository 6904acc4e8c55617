/**
 * Models of the node and its cell, as JSON for REST and WebSocket alike, and as Prometheus series.
 *
 * <p>{@link io.callboard.dashboard.model.CellModel} reads on demand and keeps nothing; the classes
 * of rows and series are pure. The number of series is bounded: of mailboxes, guards and failure
 * zones only the first ones have series of their own.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
