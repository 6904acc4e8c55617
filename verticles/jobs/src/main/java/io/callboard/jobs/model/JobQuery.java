package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a list of jobs, newest first.
 *
 * @param label {@code key} or {@code key=value}; null for any
 * @param text found in the id, the command or a label; null for any
 * @param cursor where the page before ended; null for the first page
 * @param ascending oldest first instead
 */
public record JobQuery(
    @Nullable String type,
    @Nullable JobState state,
    @Nullable String label,
    @Nullable Instant createdAfter,
    @Nullable String text,
    boolean ascending,
    int limit,
    @Nullable String cursor) {}
