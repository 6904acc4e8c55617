package io.callboard.jobs.actor;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.jobs.model.Job;

/** Changes that jobs and gate publish to all nodes, after their commits; hints, at most once. */
public sealed interface JobNews {
  /**
   * Change of a job.
   *
   * @param job the job after it
   */
  record JobChanged(Job job) implements JobNews {}

  /**
   * Deletion of a job, which its hosts learn, too.
   *
   * @param id id of the job
   * @param tombstone what remains of it
   */
  record JobDeleted(String id, Tombstone tombstone) implements JobNews {}

  /**
   * End of the record of a job that had ended.
   *
   * @param id id of the job
   * @param version its last version
   */
  record JobLetGo(String id, long version) implements JobNews {}

  /** Start of a gate, to which monitors report at once. */
  record GateStarted() implements JobNews {}

  /** Returns the broadcast of these changes. */
  static Broadcast<JobNews> of(Callboard callboard) {
    return callboard.broadcast("callboard.jobs", JobNews.class);
  }
}
