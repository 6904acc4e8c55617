package io.callboard.dashboard.internal.attention;

/** Kind of trouble, in the order in which troubles of equal severity are listed. */
public enum Rule {
  /** The store does not answer, or its access control denies something. */
  STORE_UNREACHABLE,
  /** Node that is not a member of its cell: this one. */
  NOT_A_MEMBER,
  /** Node whose session ended without its leaving. */
  NODE_LOST,
  /** Member whose silence the others have noticed, so that they take over what it held. */
  NODE_SUSPECT,
  /** Member that does not answer this node, so that nothing is known of what is on it now. */
  NODE_SILENT,
  /** Partition whose lease cannot be read, so that no node can own it. */
  LEASE_UNREADABLE,
  /** Role that no node holds. */
  ROLE_WITHOUT_HOLDER,
  /** Role that no other node could take over. */
  ROLE_WITHOUT_STANDBY,
  /** Failure zone of which nothing runs until it is resumed. */
  FAILURE_ZONE_FAILED,
  /** Actor that was given up. */
  ACTOR_FAILED,
  /**
   * Actor or failure zone that is restarted and fails again and again, for more than a minute,
   * without having run well in between.
   */
  KEEPS_FAILING,
  /**
   * Actor to which something that it needs is not available, again and again for more than a
   * minute, and which has handled nothing meanwhile; or node with many of them.
   */
  STAYS_INTERRUPTED,
  /** Actor or failure zone that has waited for its restart for more than a minute. */
  LONG_WAIT,
  /** Open circuit of a guard. */
  CIRCUIT_OPEN,
  /** Scheduling zone with blocked threads. */
  THREAD_BLOCKED,
  /** Scheduling zone in which more slices wait than it is configured for. */
  SCHEDULING_ZONE_FULL,
  /** Host that can do no work. */
  HOST_FAULT,
  /** Type whose jobs wait though it is open, since no host takes them. */
  NO_HOST,
  /** Type all of whose runs are taken while its jobs wait. */
  GATE_FULL,
  /** Paused type whose jobs wait. */
  TYPE_PAUSED,
  /** Jobs that died in the last hour of one cause. */
  JOBS_DEAD,
  /** Jobs of a type whose runs are alive and make no progress within their progress timeout. */
  JOBS_STALLED,
  /**
   * Runs of a host that were killed, and of which processes are left after SIGKILL, or whose
   * handler does not end.
   */
  KILL_FAILED,
  /** Parked messages of one cause. */
  MESSAGES_PARKED,
  /** Receiver to which messages wait in outboxes of this node until an operator acts. */
  MAIL_STUCK,
  /** Mailbox whose oldest message has waited for more than a minute. */
  OLD_MAIL,
  /** Brake that holds instances back. */
  BRAKE_ON,
  /**
   * Type of steps that wait for a worker, as none offers it or all that do have no room; or whose
   * jobs are of a type that no node has made.
   */
  STEPS_WAIT,
  /** Source that does not poll. */
  SOURCE_STOPPED,
  /** Source that polls, and has messages or files that it cannot deliver or set aside. */
  SOURCE_TROUBLED,
  /** Database that takes nothing that has ended. */
  ARCHIVE_AWAY,
  /** Trouble that a part of a node reports of itself. */
  PART_TROUBLED,
  /** Finding of the grid monitor that no other rule is about. */
  GRID_FINDING,
  /** Grid that no monitor looks at. */
  GRID_UNWATCHED,
  /** Fact that cannot be read, so that its rules say nothing. */
  NOT_READ
}
