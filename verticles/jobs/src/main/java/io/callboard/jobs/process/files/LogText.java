package io.callboard.jobs.process.files;

/**
 * Part of a log.
 *
 * @param text decoded as UTF-8, malformed bytes replaced
 * @param size size of the whole log when it was read, in bytes
 * @param complete whether the text is all of it
 */
public record LogText(String text, long size, boolean complete) {}
