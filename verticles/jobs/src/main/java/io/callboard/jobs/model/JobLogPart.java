package io.callboard.jobs.model;

/**
 * Part of the output of a run, in bytes.
 *
 * @param runId number of the run within its job; 0 if there is none yet
 * @param bytes the part
 * @param offset position of its first byte in the kept output
 * @param kept number of bytes kept in all: the first and the last of a long log
 * @param written number of bytes that the run has written, those left out included
 * @param complete whether the run has ended, so that nothing more comes
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobLogPart(
    int runId, byte[] bytes, long offset, long kept, long written, boolean complete) {}
