/**
 * Figures of a node over time, for charts.
 *
 * <p>{@link io.callboard.dashboard.internal.history.Recorder} takes a {@link
 * io.callboard.dashboard.internal.history.Sample} every five seconds and gives it to {@link
 * io.callboard.dashboard.internal.history.History}, a machine, which merges it into one {@link
 * io.callboard.dashboard.internal.history.Ring} for each {@link
 * io.callboard.dashboard.internal.history.Range}. {@link
 * io.callboard.dashboard.internal.history.Series} makes the curves of a range from its steps.
 *
 * <p>What is kept is of fixed size, in memory: it begins anew with the node.
 */
@NullMarked
package io.callboard.dashboard.internal.history;

import org.jspecify.annotations.NullMarked;
