package io.callboard.jobs.model;

/** Listener for numbers of runs of the cell. */
@FunctionalInterface
public interface RunsListener {
  /** Reports how many runs have started and ended since the last call. */
  void ran(long started, long ended);
}
