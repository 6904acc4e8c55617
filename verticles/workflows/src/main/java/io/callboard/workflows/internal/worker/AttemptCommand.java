package io.callboard.workflows.internal.worker;

/** Command of an attempt, from its worker on the same node; never sent elsewhere. */
record AttemptCommand() {
  /** Begins to run. */
  static final AttemptCommand BEGIN = new AttemptCommand();
}
