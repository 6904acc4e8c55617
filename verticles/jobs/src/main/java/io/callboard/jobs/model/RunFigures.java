package io.callboard.jobs.model;

import io.callboard.admin.Distribution;

/**
 * Figures of the runs of jobs whose partitions a node owns, counted since the node started; all
 * only grow.
 *
 * @param failed runs that failed or were lost
 * @param waits nanoseconds from the time at which a job was due to the start of its run, by the
 *     clock of the run's host. Not of a run after one that was lost, nor of a job that was run
 *     again or released, of which the time is not known
 */
public record RunFigures(long failed, Distribution waits) {}
