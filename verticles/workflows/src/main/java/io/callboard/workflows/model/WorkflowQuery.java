package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Filter, order and page of a list of instances.
 *
 * @param definition instances of this definition; null for all
 * @param version instances of this version of it; null for all
 * @param state instances in this state; null for all
 * @param label instances with this label, {@code key} or {@code key=value}; null for all
 * @param createdAfter instances created later; null for all
 * @param text text in the id, the name of the definition or a label; null for all
 * @param ascending whether the oldest come first
 * @param limit maximum number of instances of the page
 * @param cursor id of the last instance of the page before; null for the first page
 */
public record WorkflowQuery(
    @Nullable String definition,
    @Nullable String version,
    @Nullable InstanceState state,
    @Nullable String label,
    @Nullable Instant createdAfter,
    @Nullable String text,
    boolean ascending,
    int limit,
    @Nullable String cursor) {
  /** Returns the query for all instances, the newest first. */
  public static WorkflowQuery newest(int limit) {
    return new WorkflowQuery(null, null, null, null, null, null, false, limit, null);
  }
}
