package io.callboard.jobs.internal.files;

/**
 * Bytes of a log at the time of the call.
 *
 * @param bytes the bytes
 * @param offset position of the first in the kept output
 * @param kept number of bytes kept in all
 * @param written number of bytes that the run has written, those left out included
 */
@SuppressWarnings("ArrayRecordComponent")
public record LogBytes(byte[] bytes, long offset, long kept, long written) {}
