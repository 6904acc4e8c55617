/**
 * Figures of a node over time, for charts.
 *
 * <p>{@link io.callboard.dashboard.internal.chart.Recorder} takes a {@link
 * io.callboard.dashboard.internal.chart.Sample} every five seconds and gives it to {@link
 * io.callboard.dashboard.internal.chart.History}, a machine, which merges it into one {@link
 * io.callboard.dashboard.internal.chart.Ring} for each {@link
 * io.callboard.dashboard.internal.chart.Range}. {@link
 * io.callboard.dashboard.internal.chart.Series} makes the curves of a range from its steps.
 *
 * <p>What is kept is of fixed size, in memory: it begins anew with the node.
 */
@NullMarked
package io.callboard.dashboard.internal.chart;

import org.jspecify.annotations.NullMarked;
