package io.callboard.jobs;

import java.time.Instant;

/** Something that happened to a job, in words. */
public record JobEvent(Instant at, String what) {}
