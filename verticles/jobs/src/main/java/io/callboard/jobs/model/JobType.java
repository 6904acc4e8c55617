package io.callboard.jobs.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Type of jobs, with its limit.
 *
 * @param name name of the type
 * @param runner {@code process} or {@code handler}
 * @param limit maximum number of simultaneous runs in the whole cell
 * @param paused whether no run of it is started
 * @param retry retry policy of jobs that name none
 * @param maxShare share of a host's slots that its runs take at most, over 0 and up to 1; null for
 *     all
 * @param retention how long its ended jobs are kept; null for as long as the nodes' options say
 * @param handler name of the handler that runs its jobs; null for processes
 */
public record JobType(
    String name,
    String runner,
    int limit,
    boolean paused,
    RetryPolicy retry,
    @Nullable Double maxShare,
    @Nullable TypeRetention retention,
    @Nullable String handler) {
  /** Name of the type that exists from the start. */
  public static final String PROCESS = "process";

  /** Runner of the types whose jobs run in handlers. */
  public static final String HANDLER = "handler";

  /** Creates a type. */
  public JobType {
    Objects.requireNonNull(name, "name is null: give the type one");
    Objects.requireNonNull(runner, "runner is null: give JobType.PROCESS");
    Objects.requireNonNull(retry, "retry is null: give a RetryPolicy, such as RetryPolicy.ONCE");
  }

  /** Creates a type whose runs may take all slots of a host. */
  public JobType(String name, String runner, int limit, boolean paused, RetryPolicy retry) {
    this(name, runner, limit, paused, retry, null, null, null);
  }

  /** Creates a type whose ended jobs are kept as long as the nodes' options say. */
  public JobType(
      String name,
      String runner,
      int limit,
      boolean paused,
      RetryPolicy retry,
      @Nullable Double maxShare) {
    this(name, runner, limit, paused, retry, maxShare, null, null);
  }

  /** Creates a type of processes. */
  public JobType(
      String name,
      String runner,
      int limit,
      boolean paused,
      RetryPolicy retry,
      @Nullable Double maxShare,
      @Nullable TypeRetention retention) {
    this(name, runner, limit, paused, retry, maxShare, retention, null);
  }

  /** Returns the type of the jobs of a handler, of its name and with the defaults. */
  public static JobType ofHandler(String handler) {
    return new JobType(
        handler,
        HANDLER,
        JobsOptions.DEFAULT_LIMIT,
        false,
        RetryPolicy.HANDLERS,
        null,
        null,
        handler);
  }

  /** Returns the type paused, or not. */
  public JobType paused(boolean now) {
    return new JobType(name, runner, limit, now, retry, maxShare, retention, handler);
  }

  /**
   * Returns whether another state of the type has another runner or handler. A node of an earlier
   * version drops the handler, which is added again then.
   */
  public boolean runsElsewhere(JobType other) {
    return !runner.equals(other.runner) || (handler != null && !handler.equals(other.handler));
  }

  /** Returns, for people, what runs the type's jobs. */
  public String runnerWords() {
    return handler == null ? "processes" : "the handler \"%s\"".formatted(handler);
  }

  /** Returns the number of a host's slots that the type's runs may take; one at least. */
  public int mostOf(int slots) {
    return maxShare == null ? slots : Math.max(1, (int) Math.floor(slots * maxShare));
  }
}
