package io.callboard.jobs.internal.actor;

import io.callboard.jobs.model.Job;

/**
 * Observer of the jobs that run on this node. Called on their threads, in the order of the changes
 * of each: before and after each commit, and at the start of each actor with what its record says.
 */
public interface JobObserver {
  /**
   * Reports that a turn is going to commit a change of a job, or the end of its record.
   *
   * @return is run once the change is committed and reported. If it never is, the outcome is not
   *     known before a later change of the job is; what its actor reads at a start does not say, as
   *     a commit of the life before may still be on its way
   */
  Runnable begins(String job);

  /** Reports a job as it is now. */
  void is(Job job);

  /** Reports that a job has no record any more but a tombstone. */
  void remains(String job, Tombstone tombstone);

  /**
   * Reports that nothing is left of a job.
   *
   * @param version its last version; a later one may come if it is restored from the database. 0 if
   *     it is not known any more, of a job that was reported to have a tombstone
   */
  void gone(String job, long version);
}
