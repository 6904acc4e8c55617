package io.callboard.jobs.internal.index;

import io.callboard.grid.internal.index.Coverage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of the index of a node. */
public sealed interface IndexAnswer {
  /**
   * Rows of a list.
   *
   * @param rows first rows, in the order of the list
   * @param known those of the jobs asked for that have a record here, or were deleted
   * @param coverage partitions of which the node knows all jobs
   */
  record Page(List<RowRef> rows, List<String> known, Coverage coverage) implements IndexAnswer {}

  /**
   * Ended jobs.
   *
   * @param ended number of all
   * @param ready number of those that may go
   * @param unwritten number of those that are to be written to the database
   * @param waiting the oldest of these
   * @param successes the oldest successes that may go
   * @param others the oldest of the others that may go
   * @param old the oldest of those that may go and are beyond their age
   * @param deleted some deleted jobs whose rows are to be deleted
   */
  record Ended(
      int ended,
      int ready,
      int unwritten,
      List<EndedJob> waiting,
      List<EndedJob> successes,
      List<EndedJob> others,
      List<EndedJob> old,
      List<String> deleted)
      implements IndexAnswer {}

  /**
   * Rows of a partition for its next owner.
   *
   * @param has whether this node has all of them, in the form asked for
   * @param rows some rows, in the order of their ids
   * @param tombs the tombstones of the same range of ids
   * @param unsure jobs of which the store may have more than the rows say; with the first page, for
   *     all
   * @param next after which job the next page begins; null if this is the last
   */
  record HandedOver(
      boolean has,
      List<HandedRow> rows,
      List<HandedTombstone> tombs,
      List<String> unsure,
      @Nullable String next)
      implements IndexAnswer {
    /** Answer of a node that does not have them. */
    static final HandedOver NOTHING = new HandedOver(false, List.of(), List.of(), List.of(), null);
  }

  /** Confirmation of what was reported. */
  record Done() implements IndexAnswer {}
}
