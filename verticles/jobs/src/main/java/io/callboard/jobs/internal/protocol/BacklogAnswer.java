package io.callboard.jobs.internal.protocol;

import org.jspecify.annotations.Nullable;

/** Answers of the backlog of a type. */
public sealed interface BacklogAnswer {
  /**
   * Answer with a job of the backlog, if that has it.
   *
   * @param waiting the run; null if it has none of that job
   * @param size number of runs that it has
   */
  record Found(@Nullable WaitingRun waiting, int size) implements BacklogAnswer {}
}
