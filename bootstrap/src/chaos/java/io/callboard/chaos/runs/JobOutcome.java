package io.callboard.chaos.runs;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of an accepted job, as far as it is known.
 *
 * @param key key of the job, which its processes write
 * @param kind kind of the job
 * @param cancelled whether its cancellation was asked for, whatever came of it
 * @param confirmed whether an answer said that it is cancelled
 * @param state state at the end; null if there is no such job
 */
public record JobOutcome(
    String key, JobKind kind, boolean cancelled, boolean confirmed, @Nullable String state) {}
