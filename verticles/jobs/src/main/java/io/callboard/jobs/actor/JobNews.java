package io.callboard.jobs.actor;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.jobs.model.Job;

/** Changes that jobs and gate publish to all nodes, after their commits; hints, at most once. */
public sealed interface JobNews {
  /** A job has changed. */
  record JobChanged(Job job) implements JobNews {}

  /**
   * A job was deleted, which its hosts hear, too.
   *
   * @param tombstone what stays of it
   */
  record JobDeleted(String id, Tombstone tombstone) implements JobNews {}

  /** A gate has started: monitors report to it at once. */
  record GateStarted() implements JobNews {}

  static Broadcast<JobNews> of(Callboard callboard) {
    return callboard.broadcast("callboard.jobs", JobNews.class);
  }
}
