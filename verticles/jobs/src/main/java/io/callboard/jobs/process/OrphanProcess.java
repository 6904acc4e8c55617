package io.callboard.jobs.process;

/**
 * Process marked with this home and another boot of the node.
 *
 * @param pid process id
 * @param jobId id of the job, from its environment; empty if that lacks it
 * @param runId number of the run, likewise
 * @param bootId boot id of the node that started it
 */
public record OrphanProcess(long pid, String jobId, String runId, String bootId) {}
