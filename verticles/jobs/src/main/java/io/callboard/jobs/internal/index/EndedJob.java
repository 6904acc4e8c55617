package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Comparator;

/**
 * Ended job that has a record.
 *
 * @param id id of the job
 * @param version its version
 * @param type name of its type
 * @param state state in which it ended
 * @param at time of its end
 */
@Machine
public record EndedJob(String id, long version, String type, JobState state, Instant at) {
  /** Order of their ends. */
  public static final Comparator<EndedJob> OLDEST_FIRST =
      Comparator.comparing(EndedJob::at).thenComparing(EndedJob::id);
}
