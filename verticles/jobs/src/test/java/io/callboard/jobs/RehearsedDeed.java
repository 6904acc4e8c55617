package io.callboard.jobs;

/** What happens in the rehearsal beside faults and messages, and must happen in some world. */
enum RehearsedDeed {
  /** A host stops in order, and ends itself when it has. */
  STOPPED,
  /** A host is drained while it has runs. */
  DRAINED,
  /** A submission finds the job that holds its unique key. */
  KEY_FOUND,
  /** A submission takes a unique key over from a job that has ended. */
  KEY_TAKEN,
  /** A run begins on a host that offers what its job requires. */
  REQUIRED,
  /** The limit of a label is changed. */
  LABEL_LIMITED,
  /** A job without a record is run again from its row. */
  RESTORED,
  /** A job without a record is deleted. */
  ROW_DELETED,
  /** The end of a job is told to its listener. */
  TOLD
}
