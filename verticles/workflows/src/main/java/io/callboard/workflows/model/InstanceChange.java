package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Event of an instance, for people.
 *
 * @param at when it happened
 * @param step id of its step; null if it concerns the instance
 * @param what what happened, in a few words
 * @param detail reason or further data; null for none
 */
public record InstanceChange(
    Instant at, @Nullable String step, String what, @Nullable String detail) {}
