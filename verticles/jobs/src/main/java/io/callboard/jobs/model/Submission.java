package io.callboard.jobs.model;

/**
 * Result of a submission.
 *
 * @param job the job, new or found by its key; if it has ended already, that end was told before
 * @param existing whether it existed before, found by its key
 * @param notifies whether the ref that was given is told of the job's end; false if none was given,
 *     and for a job that was found and was submitted with another ref or with none
 */
public record Submission(Job job, boolean existing, boolean notifies) {}
