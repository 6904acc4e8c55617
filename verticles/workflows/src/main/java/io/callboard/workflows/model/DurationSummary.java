package io.callboard.workflows.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Durations, summed up.
 *
 * @param count number of durations
 * @param p50 median, within an eighth; null for none
 * @param p99 99th percentile, within an eighth; null for none
 */
public record DurationSummary(long count, @Nullable Duration p50, @Nullable Duration p99) {}
