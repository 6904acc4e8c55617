package io.callboard.archive;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a page of ended workflow instances.
 *
 * @param definition name of the definition; null for any
 * @param version version of the definition; null for any
 * @param state state; null for any
 * @param label name of a label; null for any
 * @param labelValue value of that label; null for any
 * @param createdAfter only instances created after this time; null for any
 * @param text text contained in {@link WorkflowRow#search}; null for any
 * @param ascending true for oldest first, false for newest first
 * @param limit maximum number of instances, from 1
 * @param after id of the last instance of the page before; null for the first page
 */
public record WorkflowRowQuery(
    @Nullable String definition,
    @Nullable String version,
    @Nullable String state,
    @Nullable String label,
    @Nullable String labelValue,
    @Nullable Instant createdAfter,
    @Nullable String text,
    boolean ascending,
    int limit,
    @Nullable String after) {}
