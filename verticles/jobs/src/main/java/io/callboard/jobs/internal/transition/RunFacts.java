package io.callboard.jobs.internal.transition;

/**
 * Facts about a message and its run on which the choice of a row depends.
 *
 * @param succeeded whether the run ended with exit code 0
 * @param cancelling whether its job is being cancelled
 */
public record RunFacts(boolean succeeded, boolean cancelling) {
  /** Facts of a message that says nothing of an exit code. */
  static final RunFacts NONE = new RunFacts(false, false);
}
