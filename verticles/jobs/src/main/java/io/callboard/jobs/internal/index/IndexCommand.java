package io.callboard.jobs.internal.index;

import io.callboard.jobs.model.JobQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the index of a node. */
public sealed interface IndexCommand {
  /**
   * Asks for the first rows of a list; answered with {@link IndexAnswer.Page}.
   *
   * @param query filter, order and cursor
   * @param most maximum number of rows
   * @param rows jobs of the database, of which the answer names those that the index knows
   */
  record Page(JobQuery query, int most, List<String> rows) implements IndexCommand {}

  /**
   * Asks which of some jobs the index knows; answered with {@link IndexAnswer.Page}.
   *
   * @param jobs ids of the jobs
   */
  record Known(List<String> jobs) implements IndexCommand {}

  /**
   * Asks for the oldest ended jobs; answered with {@link IndexAnswer.Ended}.
   *
   * @param most maximum number of each kind
   * @param database whether only what the database has may go
   * @param cutoffs times before which jobs are old
   */
  record Ended(int most, boolean database, EndCutoffs cutoffs) implements IndexCommand {
    /** Maximum number of deleted jobs of an answer. */
    static final int MOST_DELETED = 20;
  }

  /**
   * Reports what the archivist has done.
   *
   * @param written versions that the database has, or need not have
   * @param refused versions that the database refuses
   * @param cleared deleted jobs of which the database has no row any more
   */
  record Archived(List<RowRef> written, List<RowRef> refused, List<String> cleared)
      implements IndexCommand {
    /** Returns whether nothing was done. */
    boolean isEmpty() {
      return written.isEmpty() && refused.isEmpty() && cleared.isEmpty();
    }
  }

  /**
   * Asks the former owner of a partition for its rows; answered with {@link
   * IndexAnswer.HandedOver}.
   *
   * @param partition number of the partition, which the asker owns by now
   * @param epoch the epoch before the asker's
   * @param format the form of rows that the asker takes, {@link HandedRow#FORMAT}
   * @param after job after which the page begins; null for the first one
   */
  record HandOver(int partition, long epoch, int format, @Nullable String after)
      implements IndexCommand {}

  /**
   * Makes the host delete the files of runs of deleted jobs, and report that to the jobs.
   *
   * @param jobs ids of the jobs
   */
  record DeleteFiles(List<String> jobs) implements IndexCommand {}
}
