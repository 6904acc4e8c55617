package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a job does not run.
 *
 * @param kind {@code gate}, {@code paused}, {@code label-limit}, {@code max-share}, {@code
 *     backlog}, {@code no-slot}, {@code no-host}, {@code draining}, {@code silent-host}, {@code
 *     host-fault}, {@code starting}, {@code not-due}, {@code held}, {@code kill-failed} or {@code
 *     ended}
 * @param detail the reason in words
 * @param running number of runs that use up the limit; null if none is involved
 * @param limit limit of the type or number of slots; null if none is involved
 * @param position position among the due jobs, from 1; null if none is involved
 * @param until when the job becomes due; null if not of kind {@code not-due}
 */
public record Blocked(
    String kind,
    String detail,
    @Nullable Integer running,
    @Nullable Integer limit,
    @Nullable Integer position,
    @Nullable Instant until) {}
