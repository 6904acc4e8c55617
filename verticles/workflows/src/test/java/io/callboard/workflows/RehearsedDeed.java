package io.callboard.workflows;

/** Rare things that must happen in the worlds of a {@link WorkflowsRehearsal}. */
enum RehearsedDeed {
  /** A run of a step was lost with its worker, or its node. */
  RUN_LOST,
  /** A run was ended because the session of its node was over. */
  RUN_FENCED,
  /** An order was revoked that had not been accepted. */
  REVOKED,
  /** Another desk opened while steps ran. */
  DESK_REPLACED,
  /** A handler failed, and its step was attempted again. */
  RETRIED,
  /** A handler ran longer than its step may. */
  TIMED_OUT,
  /** A handler that did not listen to its cancellation was stopped. */
  STOPPED,
  /** An instance was over its timeout. */
  OVERDUE,
  /** An instance was cancelled while steps of it ran. */
  CANCELLED,
  /** A cancellation was forced while a finally step or a compensation ran. */
  FORCED,
  /** A step without retries ended an instance early. */
  FAILED_FAST,
  /** The end of an instance undid a step. */
  UNDONE,
  /** What was to undo a step failed for good. */
  UNDO_FAILED,
  /** An instance that had ended was retried. */
  REOPENED_BY_RETRY,
  /** An instance that had ended was run again from a step. */
  REOPENED_BY_RERUN,
  /** An instance of a sub-workflow ended. */
  CHILD_ENDED,
  /** An instance of a sub-workflow was cancelled with the one above it. */
  CHILD_CANCELLED,
  /** An instance waited for a permit to begin. */
  HELD,
  /** A brake came on by its measurements. */
  BRAKED,
  /** A brake was overridden. */
  OVERRIDDEN,
  /** An instance moved to another node while steps of it ran. */
  INSTANCE_MOVED,
  /** An object of an instance that had ended left the memory, and came back for a message. */
  PASSIVATED,
  /** A worker was drained while steps ran on it. */
  DRAINED,
  /** A node stopped in order while steps ran on it. */
  NODE_STOPPED,
  /** A node died while steps ran on it. */
  NODE_DIED,
  /** A message came again. */
  REPEATED,
  /** The builder of a message failed or did not answer, and was asked again. */
  BUILDER_ASKED_AGAIN,
  /** A message was settled because its builder failed for good. */
  BUILDER_GAVE_UP,
  /** A message had a next instance. */
  CHAINED,
  /** An instance ran by an older version of its definition than the current one. */
  PINNED,
  /** The report of a run came for one that its instance did not await any more. */
  OLD_REPORT
}
