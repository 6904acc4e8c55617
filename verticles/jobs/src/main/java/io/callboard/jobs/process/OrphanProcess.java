package io.callboard.jobs.process;

/**
 * A process that bears this home and another boot of a node.
 *
 * @param jobId from its environment; empty if that lacks it
 * @param runId likewise
 * @param bootId of the node that started it
 */
public record OrphanProcess(long pid, String jobId, String runId, String bootId) {}
