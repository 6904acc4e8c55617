/**
 * Figures of a node over time, for charts.
 *
 * <p>{@link io.callboard.dashboard.history.Recorder} takes a {@link
 * io.callboard.dashboard.history.Sample} every five seconds and gives it to {@link
 * io.callboard.dashboard.history.History}, a machine, which merges it into one {@link
 * io.callboard.dashboard.history.Ring} for each {@link io.callboard.dashboard.history.Range}.
 * {@link io.callboard.dashboard.history.Series} makes the curves of a range from its steps.
 *
 * <p>What is kept is of fixed size, in memory: it begins anew with the node.
 */
@NullMarked
package io.callboard.dashboard.history;

import org.jspecify.annotations.NullMarked;
