package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.time.Machine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Row of an index as the owner of its partition hands it to the next one; see {@link IndexRow}.
 *
 * @param id id of the job
 * @param run number of the last run with what is known of it
 * @param text what lists search, a character for each byte
 * @param troubles what is wrong with its run; null for nothing
 */
@Machine
record HandedRow(
    String id,
    long version,
    String type,
    JobState state,
    long createdNs,
    long endedNs,
    long dueNs,
    int run,
    String text,
    @Nullable List<TroubledRun> troubles) {
  /**
   * Form of the rows. To be raised with each change of what a row is made of, also with one of
   * {@link RowText} or of what is masked in a job's command: rows of another form are not taken,
   * the records are read.
   */
  static final int FORMAT = 2;
}
