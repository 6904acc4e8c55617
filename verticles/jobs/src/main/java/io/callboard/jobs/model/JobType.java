package io.callboard.jobs.model;

/**
 * Type of jobs, with its limit.
 *
 * @param name name of the type
 * @param runner {@code process}
 * @param limit maximum number of simultaneous runs in the whole cell
 * @param paused whether no run of it is started
 * @param retry retry policy of jobs that name none
 */
public record JobType(String name, String runner, int limit, boolean paused, RetryPolicy retry) {
  /** Name of the type that exists from the start. */
  public static final String PROCESS = "process";
}
