package io.callboard.jobs.model;

/**
 * Output of a run, as text.
 *
 * @param runId number of the run within its job; 0 if there is none yet
 * @param text the output, decoded as UTF-8
 * @param truncated whether bytes are missing
 * @param complete whether the run has ended, so that nothing more comes
 */
public record JobLog(int runId, String text, boolean truncated, boolean complete) {}
