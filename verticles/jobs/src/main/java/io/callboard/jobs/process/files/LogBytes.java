package io.callboard.jobs.process.files;

/**
 * Bytes of a log as of now.
 *
 * @param offset of the first in what is kept
 * @param kept bytes that are kept in all
 * @param written bytes that the run has written, those left out included
 */
@SuppressWarnings("ArrayRecordComponent")
public record LogBytes(byte[] bytes, long offset, long kept, long written) {}
