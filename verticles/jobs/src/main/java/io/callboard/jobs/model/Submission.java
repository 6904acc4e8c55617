package io.callboard.jobs.model;

/**
 * Result of a submission.
 *
 * @param existing whether {@code job} was there before, by its key
 */
public record Submission(Job job, boolean existing) {}
