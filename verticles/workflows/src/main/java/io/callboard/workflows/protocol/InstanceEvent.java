package io.callboard.workflows.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events of an instance. Those of steps concern the compensations of steps from {@link UndoBegan}
 * until the instance has ended.
 */
public sealed interface InstanceEvent {
  /** Returns when it happened, by the clock of the instance's node. */
  Instant at();

  /**
   * The instance was created.
   *
   * @param spec what with
   */
  record Created(InstanceSpec spec) implements InstanceEvent {
    @Override
    public Instant at() {
      return spec.createdAt();
    }
  }

  /**
   * A run of a step began: it is requested from now on.
   *
   * @param step id of the step
   * @param run number of the run
   * @param attempt number of the attempt
   * @param winner position of the edge that was first, with {@code join: any}; null otherwise
   * @param child id of the instance that runs a sub-workflow; null otherwise
   */
  record StepStarted(
      String step,
      int run,
      int attempt,
      @Nullable Integer winner,
      @Nullable String child,
      Instant at)
      implements InstanceEvent {}

  /**
   * An attempt of a step failed, and another one follows.
   *
   * @param step id of the step
   * @param run number of the run
   * @param dueAt when the next attempt begins
   * @param error why this one failed
   * @param worker worker that ran it; null for none
   */
  record StepRetries(
      String step, int run, Instant dueAt, String error, @Nullable String worker, Instant at)
      implements InstanceEvent {}

  /**
   * A run of a step was lost; another one of the same attempt follows.
   *
   * @param step id of the step
   * @param run number of the run
   * @param cause why, for people
   */
  record StepLost(String step, int run, String cause, Instant at) implements InstanceEvent {}

  /**
   * A step that was ready is settled.
   *
   * @param step id of the step
   * @param run number of its last run; 0 if it could not begin
   * @param state SUCCEEDED, FAILED or CANCELLED
   * @param output its output; null unless it succeeded, or if that is by reference
   * @param bytes size of {@code output} as JSON
   * @param error why it did not succeed; null if it did
   * @param worker worker that ran it; null for none
   * @param child id of the job that ran it; null for none
   * @param blob where its large output is; null for none
   * @param winner position of the edge that was first, if it could not begin, with {@code join:
   *     any}; null otherwise
   */
  record StepEnded(
      String step,
      int run,
      StepState state,
      @Nullable JsonNode output,
      int bytes,
      @Nullable String error,
      @Nullable String worker,
      @Nullable String child,
      Instant at,
      @Nullable BlobRef blob,
      @Nullable Integer winner)
      implements InstanceEvent {}

  /**
   * A step was settled without having been ready.
   *
   * @param step id of the step
   * @param state SKIPPED or CANCELLED
   * @param reason why it was skipped, or cancelled though it is a finally step; null otherwise
   * @param winner position of the edge that was first, if one was satisfied, with {@code join:
   *     any}; null otherwise
   */
  record StepSkipped(
      String step, StepState state, @Nullable String reason, Instant at, @Nullable Integer winner)
      implements InstanceEvent {}

  /**
   * The instance is to end before its steps have.
   *
   * @param cause why
   */
  record Stopped(InstanceStop cause, Instant at) implements InstanceEvent {}

  /**
   * The instance is to end without its finally steps and its compensation, whatever of them runs.
   *
   * @param by who wants that, for people
   */
  record Forced(String by, Instant at) implements InstanceEvent {}

  /**
   * All steps are settled, and those that succeeded are undone now.
   *
   * @param outcome outcome to which that leads
   * @param reason why the instance failed or was cancelled
   */
  record UndoBegan(InstanceOutcome outcome, @Nullable String reason, Instant at)
      implements InstanceEvent {}

  /**
   * The instance ended.
   *
   * @param outcome its outcome
   * @param reason why it failed or was cancelled; null for none
   */
  record Ended(InstanceOutcome outcome, @Nullable String reason, Instant at)
      implements InstanceEvent {}

  /**
   * The instance was opened again: steps of it begin anew.
   *
   * @param from step from which it is run again; null for a retry
   * @param steps ids of the steps that begin anew
   */
  record Reopened(@Nullable String from, List<String> steps, Instant at) implements InstanceEvent {
    /** Copies the list. */
    public Reopened {
      steps = List.copyOf(steps);
    }
  }
}
