package io.callboard.jobs.model;

import java.time.Instant;

/** Something that happened to a job, in words. */
public record JobEvent(Instant at, String what) {}
