package io.callboard.jobs.model;

/**
 * Limit over all jobs that have a label.
 *
 * @param label {@code key=value}, or {@code key} for any value
 * @param running maximum number of simultaneous runs in the whole cell
 * @param used number of runs that it counts now
 */
public record LabelLimit(String label, int running, int used) {}
