package io.callboard.jobs.internal.transition;

/** Cause of a transition: the kind of a message to a job. */
public enum JobTrigger {
  /** The job is submitted. */
  SUBMITTED("the job is submitted"),
  /** The gate grants the job a run. */
  GRANTED("the gate grants a run"),
  /** The host of the run reports its start. */
  STARTED("the host reports the start"),
  /** The gate reports that the host of the run is silent. */
  SILENT("the gate reports a silent host"),
  /** The gate reports that the host of the run is heard again. */
  HEARD("the gate hears the host again"),
  /** The host reports that the run has made no progress within its progress timeout. */
  STALLED("the host reports no progress"),
  /** The host reports that the run makes progress. */
  PROGRESSED("the host reports progress"),
  /** The host reports files that the run has written. */
  WROTE("the host reports files of the run"),
  /** The host answers the gate how the run is, which makes no progress. */
  INSPECTED("the host answers how the run is"),
  /** The host reports that processes of the run are left after SIGKILL. */
  KILL_FAILED("the host reports a failed kill"),
  /** The host reports that the run ended, or could not be started because of the job. */
  ENDED("the host reports the end"),
  /** The host reports that it could not start the run. */
  NOT_STARTED("the host cannot start the run"),
  /** The run does not exist any more, with an unknown outcome. */
  LOST("the run is lost"),
  /** The gate reports that the job waited longer than its queue timeout. */
  EXPIRED("the queue timeout elapses"),
  /** The gate reports that no host is left that can read the arguments of the job. */
  UNREADABLE("no host can read the arguments"),
  /** The total timeout has passed. */
  TOTAL_ELAPSED("the total timeout elapses"),
  /** The job checks whether the run that it cancelled is gone. */
  STILL_THERE("a cancelled run is checked"),
  /** An operator cancels the job. */
  CANCEL("cancel"),
  /** An operator holds the job. */
  HOLD("hold"),
  /** An operator releases the job. */
  RELEASE("release"),
  /** An operator runs the job again. */
  RERUN("rerun"),
  /** An operator deletes the job. */
  DELETE("delete"),
  /** The archivist has the record of the job removed. */
  LET_GO("the archivist lets it go");

  private final String words;

  JobTrigger(String words) {
    this.words = words;
  }

  /** Returns the trigger in words. */
  public String words() {
    return words;
  }
}
