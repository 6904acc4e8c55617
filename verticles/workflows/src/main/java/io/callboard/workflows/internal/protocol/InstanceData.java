package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of an instance, the fold of its events.
 *
 * @param spec what it was created with; null before
 * @param steps its steps
 * @param begunAt begin of its present round, from which its timeout counts; its creation while it
 *     waits for a permit; null before
 * @param stop why it ends before its steps have; null if it does not
 * @param stoppedAt when that began; null if it has not
 * @param undoing outcome to which its compensation leads; null unless it is compensated
 * @param outcome its outcome; null until it has ended
 * @param endedAt when it ended; null before
 * @param reason why it failed or was cancelled; null for none
 * @param outputBytes size of all outputs as JSON
 * @param round number of its present round: 1 more with each retry or rerun
 * @param change number of its last event
 * @param history what happened that its steps do not show any more, at most {@link #MOST_HISTORY}
 *     changes, oldest first; null for none
 * @param restored number of its last event when an operator restored it last: the runs of its steps
 *     count from there, so that no number is used twice; null if nobody has
 * @param forcedBy who has cancelled its finally steps and its compensation, too; null if nobody has
 * @param forcedAt when; null if nobody has, or on a node of a version that did not note it
 */
public record InstanceData(
    @Nullable InstanceSpec spec,
    StepTable steps,
    @Nullable Instant begunAt,
    @Nullable InstanceStop stop,
    @Nullable Instant stoppedAt,
    @Nullable InstanceOutcome undoing,
    @Nullable InstanceOutcome outcome,
    @Nullable Instant endedAt,
    @Nullable String reason,
    int outputBytes,
    int round,
    long change,
    @Nullable List<InstanceChange> history,
    @Nullable Integer restored,
    @Nullable String forcedBy,
    @Nullable Instant forcedAt) {
  /** Maximum number of changes in its history. */
  public static final int MOST_HISTORY = 50;

  /** State before the creation. */
  public static final InstanceData NONE =
      new InstanceData(
          null,
          StepTable.EMPTY,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          0,
          0,
          0,
          null,
          null,
          null,
          null);

  /** Returns the specification of the instance. */
  public InstanceSpec created() {
    if (spec == null) {
      throw new IllegalStateException("the instance has not been created");
    }
    return spec;
  }

  /**
   * Returns whether the instance has begun; before, it waits for a permit, and nothing has happened
   * to it.
   */
  public boolean hasBegun() {
    return outcome != null || stop != null || round > 1 || !steps.isEmpty();
  }

  /** Returns the changes that the steps do not show any more, the oldest one first. */
  public List<InstanceChange> past() {
    return history == null ? List.of() : history;
  }

  /** Returns the state that users see. */
  public InstanceState state() {
    if (outcome != null) {
      return InstanceState.of(outcome);
    }
    return stop == null && forcedBy == null ? InstanceState.RUNNING : InstanceState.CANCELLING;
  }

  /**
   * Returns the outcome of the step that the instance runs, once it has ended.
   *
   * @param outputs output of the step, if it has succeeded
   */
  public StepOutcome outcome(JsonNode outputs) {
    String text = "the instance %s is %s: %s".formatted(created().id(), state(), reason);
    return switch (state()) {
      case SUCCEEDED, SUCCEEDED_WITH_WARNINGS -> StepOutcome.succeeded(outputs);
      case CANCELLED -> StepOutcome.cancelled(text);
      default -> StepOutcome.failed(text);
    };
  }

  /** Returns the state at the begin of a round: its creation, a retry or a rerun. */
  public InstanceData begun(
      InstanceSpec itsSpec, StepTable itsSteps, Instant at, int itsOutputBytes) {
    return new InstanceData(
        itsSpec,
        itsSteps,
        at,
        null,
        null,
        null,
        null,
        null,
        null,
        itsOutputBytes,
        round + 1,
        change + 1,
        history,
        restored,
        null,
        null);
  }

  /** Returns the state of an instance that is to end before its steps have. */
  public InstanceData stopped(InstanceStop cause, Instant at) {
    return ending(cause, at, null, null, null, null);
  }

  /** Returns the state of an instance that is compensated, on its way to an outcome. */
  public InstanceData undoing(InstanceOutcome itsOutcome, @Nullable String why) {
    return ending(stop, stoppedAt, itsOutcome, null, null, why);
  }

  /** Returns the state of an instance that has ended. */
  public InstanceData ended(InstanceOutcome itsOutcome, Instant at, @Nullable String why) {
    return ending(stop, stoppedAt, null, itsOutcome, at, why);
  }

  /** Returns the state of an instance whose present round begins at a time. */
  public InstanceData since(Instant at) {
    return new InstanceData(
        spec,
        steps,
        at,
        stop,
        stoppedAt,
        undoing,
        outcome,
        endedAt,
        reason,
        outputBytes,
        round,
        change,
        history,
        restored,
        forcedBy,
        forcedAt);
  }

  /** Returns the state of an instance that skips its finally steps and its compensation. */
  public InstanceData forced(String by, Instant at) {
    return new InstanceData(
        spec,
        steps,
        begunAt,
        stop,
        stoppedAt,
        undoing,
        outcome,
        endedAt,
        reason,
        outputBytes,
        round,
        change + 1,
        history,
        restored,
        by,
        at);
  }

  private InstanceData ending(
      @Nullable InstanceStop itsStop,
      @Nullable Instant itsStoppedAt,
      @Nullable InstanceOutcome itsUndoing,
      @Nullable InstanceOutcome itsOutcome,
      @Nullable Instant itsEndedAt,
      @Nullable String itsReason) {
    return new InstanceData(
        spec,
        steps,
        begunAt,
        itsStop,
        itsStoppedAt,
        itsUndoing,
        itsOutcome,
        itsEndedAt,
        itsReason,
        outputBytes,
        round,
        change + 1,
        history,
        restored,
        forcedBy,
        forcedAt);
  }

  /** Returns the number that all further runs of all steps are numbered after. */
  public int runsBefore() {
    return restored == null ? 0 : restored;
  }

  /**
   * Returns the state of an instance that an operator has restored to this state.
   *
   * @param last number of its last event
   * @param at when: its timeout, and the patience of a forced end, count from then, unless it has
   *     ended
   */
  public InstanceData restored(long last, Instant at) {
    return new InstanceData(
        spec,
        steps,
        outcome == null ? at : begunAt,
        stop,
        stoppedAt,
        undoing,
        outcome,
        endedAt,
        reason,
        outputBytes,
        round,
        Math.max(change, last) + 1,
        history,
        Math.toIntExact(last),
        forcedBy,
        forcedAt == null || outcome != null ? forcedAt : at);
  }

  /** Returns the state after an event of a step. */
  public InstanceData with(StepTable itsSteps, int itsOutputBytes) {
    return new InstanceData(
        spec,
        itsSteps,
        begunAt,
        stop,
        stoppedAt,
        undoing,
        outcome,
        endedAt,
        reason,
        itsOutputBytes,
        round,
        change + 1,
        history,
        restored,
        forcedBy,
        forcedAt);
  }

  /** Returns the same with one more change in its history. */
  public InstanceData with(InstanceChange past) {
    List<InstanceChange> changes = new ArrayList<>(past());
    changes.add(past);
    int from = Math.max(0, changes.size() - MOST_HISTORY);
    return new InstanceData(
        spec,
        steps,
        begunAt,
        stop,
        stoppedAt,
        undoing,
        outcome,
        endedAt,
        reason,
        outputBytes,
        round,
        change,
        List.copyOf(changes.subList(from, changes.size())),
        restored,
        forcedBy,
        forcedAt);
  }
}
