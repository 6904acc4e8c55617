package io.callboard.jobs.actor;

import io.callboard.jobs.model.Job;

/**
 * Observer of the jobs that run on this node. Called on their threads, in the order of the changes
 * of each: after each commit, and at the start of each actor with what its record says.
 */
public interface JobObserver {
  /** Reports a job as it is now. */
  void is(Job job);

  /** Reports that a job has no record any more but a tombstone. */
  void remains(String job, Tombstone tombstone);

  /**
   * Reports that nothing is left of a job.
   *
   * @param version its last version; a later one may come if it is restored from the database
   */
  void gone(String job, long version);
}
