package io.callboard.jobs.model;

import java.time.Instant;

/** An event in the life of a job, in words. */
public record JobEvent(Instant at, String what) {}
