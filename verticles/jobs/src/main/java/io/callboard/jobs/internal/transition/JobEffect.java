package io.callboard.jobs.internal.transition;

/** Effect of a row beside the change of the state; all are part of the job's turn. */
public enum JobEffect {
  /** The job asks the gate for its next run. */
  ENQUEUE("enqueue at the gate"),
  /** The job asks the gate for no run any more. */
  WITHDRAW("withdraw from the gate"),
  /** The job gives the slot of the run back to the gate. */
  GIVE_BACK("give the slot back"),
  /** The job asks the host to start the run. */
  START("start on the host"),
  /** The job asks the host to kill the run, and checks it later. */
  KILL("kill on the host"),
  /** The total timeout starts, if there is one. */
  START_TOTAL("start the total timeout"),
  /** The id of the granted run counts as used. */
  USE_RUN_ID("use up the run id"),
  /** The job tells its end to the actor that its submission named. */
  TELL_END("tell the end"),
  /** The files are kept with the job. */
  KEEP("keep the files"),
  /** The message, refused or not, is kept as an event of the job. */
  NOTE("keep as an event"),
  /** The caller is answered with the reason for the refusal. */
  REFUSE("refuse: 409"),
  /** The record is removed, with a tombstone only if an idempotency key needs one. */
  DELETE("delete"),
  /** The record goes, with a tombstone only if an idempotency key needs one. */
  LET_GO("remove the record");

  private final String words;

  JobEffect(String words) {
    this.words = words;
  }

  /** Returns the effect in words. */
  public String words() {
    return words;
  }
}
