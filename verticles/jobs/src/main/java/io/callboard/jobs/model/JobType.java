package io.callboard.jobs.model;

/**
 * Type of jobs, with its limit.
 *
 * @param runner {@code process}
 * @param limit runs at the same time in the whole cell
 * @param paused nothing of it is started while true
 */
public record JobType(String name, String runner, int limit, boolean paused, RetryPolicy retry) {
  /** The type that exists from the start. */
  public static final String PROCESS = "process";
}
