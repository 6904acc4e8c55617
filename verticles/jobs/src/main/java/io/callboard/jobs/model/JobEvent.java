package io.callboard.jobs.model;

import java.time.Instant;

/**
 * Event in the life of a job.
 *
 * @param at time of the event
 * @param what description, for people
 */
public record JobEvent(Instant at, String what) {}
