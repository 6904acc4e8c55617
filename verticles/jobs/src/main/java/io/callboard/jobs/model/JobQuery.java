package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a list of jobs.
 *
 * @param type name of the type; null for any
 * @param state state; null for any
 * @param label {@code key} or {@code key=value}; null for any
 * @param createdAfter only jobs submitted after this time; null for any
 * @param text text contained in the id, the first 1,024 bytes of the command, arguments of up to
 *     1,024 characters, or a label; null for any
 * @param ascending true for oldest first, false for newest first
 * @param limit maximum number of jobs on the page
 * @param cursor {@link JobPage#next} of the page before; null for the first page
 * @param endedAfter only jobs that ended after this time; null for any, and from an older node
 */
public record JobQuery(
    @Nullable String type,
    @Nullable JobState state,
    @Nullable String label,
    @Nullable Instant createdAfter,
    @Nullable String text,
    boolean ascending,
    int limit,
    @Nullable String cursor,
    @Nullable Instant endedAfter) {

  /** Creates the query for jobs that ended at any time, or have not. */
  public JobQuery(
      @Nullable String type,
      @Nullable JobState state,
      @Nullable String label,
      @Nullable Instant createdAfter,
      @Nullable String text,
      boolean ascending,
      int limit,
      @Nullable String cursor) {
    this(type, state, label, createdAfter, text, ascending, limit, cursor, null);
  }

  /** Returns the query for the jobs after a job. */
  public JobQuery from(String id) {
    return new JobQuery(type, state, label, createdAfter, text, ascending, limit, id, endedAfter);
  }
}
