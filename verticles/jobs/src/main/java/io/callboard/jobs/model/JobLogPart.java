package io.callboard.jobs.model;

/**
 * Part of the output of a run, in bytes.
 *
 * @param runId 0 if there is none yet
 * @param offset of the first in what is kept
 * @param kept bytes that are kept in all: the first and the last of a long log
 * @param written bytes that the run has written, those left out included
 * @param complete whether the run has ended, so that nothing more comes
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobLogPart(
    int runId, byte[] bytes, long offset, long kept, long written, boolean complete) {}
