package io.callboard.jobs.model;

/**
 * Output of a run, as text.
 *
 * @param truncated whether bytes are missing
 * @param complete whether the run has ended, so that nothing more comes
 */
public record JobLog(int runId, String text, boolean truncated, boolean complete) {}
