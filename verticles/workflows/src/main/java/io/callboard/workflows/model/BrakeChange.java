package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Change of the brake of a definition.
 *
 * @param level level since then
 * @param credit credit since then; null for any number
 * @param cause why, a sentence
 * @param at when
 */
public record BrakeChange(BrakeLevel level, @Nullable Integer credit, String cause, Instant at) {}
