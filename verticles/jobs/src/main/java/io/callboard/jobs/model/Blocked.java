package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a job does not run.
 *
 * @param kind {@code gate}, {@code paused}, {@code no-slot}, {@code no-host}, {@code draining},
 *     {@code silent-host}, {@code host-fault}, {@code not-due}, {@code held} or {@code ended}
 * @param detail the reason in words
 */
public record Blocked(
    String kind,
    String detail,
    @Nullable Integer running,
    @Nullable Integer limit,
    @Nullable Integer position,
    @Nullable Instant until) {}
