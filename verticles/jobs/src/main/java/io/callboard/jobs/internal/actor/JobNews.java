package io.callboard.jobs.internal.actor;

import io.callboard.Broadcast;
import io.callboard.Callboard;

/** News that the gate publishes to all nodes: hints, at most once. */
public sealed interface JobNews {
  /** Start of a gate, to which monitors report at once. */
  record GateStarted() implements JobNews {}

  /** Returns the broadcast of these changes. */
  static Broadcast<JobNews> of(Callboard callboard) {
    return callboard.broadcast("callboard.jobs", JobNews.class);
  }
}
