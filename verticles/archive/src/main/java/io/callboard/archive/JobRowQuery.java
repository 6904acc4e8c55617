package io.callboard.archive;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a page of ended jobs.
 *
 * @param type name of the type; null for any
 * @param state state; null for any
 * @param label name of a label; null for any
 * @param labelValue value of that label; null for any
 * @param createdAfter only jobs submitted after this time; null for any
 * @param text text contained in the id, the command or a label; null for any
 * @param ascending true for oldest first, false for newest first
 * @param limit maximum number of jobs, from 1
 * @param after id of the last job of the page before; null for the first page
 * @param endedAfter only jobs that ended after this time; null for any
 */
public record JobRowQuery(
    @Nullable String type,
    @Nullable String state,
    @Nullable String label,
    @Nullable String labelValue,
    @Nullable Instant createdAfter,
    @Nullable String text,
    boolean ascending,
    int limit,
    @Nullable String after,
    @Nullable Instant endedAfter) {

  /** Creates the query for jobs that ended at any time. */
  public JobRowQuery(
      @Nullable String type,
      @Nullable String state,
      @Nullable String label,
      @Nullable String labelValue,
      @Nullable Instant createdAfter,
      @Nullable String text,
      boolean ascending,
      int limit,
      @Nullable String after) {
    this(type, state, label, labelValue, createdAfter, text, ascending, limit, after, null);
  }
}
