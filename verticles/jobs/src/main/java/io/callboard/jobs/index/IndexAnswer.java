package io.callboard.jobs.index;

import java.util.List;

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

  /** Confirmation of what was reported. */
  record Done() implements IndexAnswer {}
}
