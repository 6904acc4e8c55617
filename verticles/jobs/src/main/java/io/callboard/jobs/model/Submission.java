package io.callboard.jobs.model;

/**
 * Result of a submission.
 *
 * @param job the job, new or found by its key
 * @param existing whether it existed before, found by its key
 */
public record Submission(Job job, boolean existing) {}
