package io.callboard.workflows.instance;

import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.InstanceEvent;
import io.callboard.workflows.protocol.ParentStep;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Words about the end of an instance that somebody forces: who, and what did not complete. */
@Machine
public final class ForcedEnd {
  /** Time that a run has to end once that is forced; then the instance ends without it. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * Time more for each level of instances that may be below a sub-workflow, so that they go first.
   */
  private static final Duration LEVEL = Duration.ofSeconds(10);

  /** How the reason of a step begins whose run was given up. */
  private static final String GIVEN_UP = "it was asked to end by force of ";

  /** How to end an instance whose finally steps or compensation do not. */
  static final String WAY =
      "a cancellation with force ends it without its finally steps and its compensation";

  private static final int MOST_NAME = 100;

  private ForcedEnd() {}

  /** Returns the name of who forces it, as long as is stored. */
  static String name(String by) {
    if (by.length() <= MOST_NAME) {
      return by;
    }
    boolean splits = Character.isHighSurrogate(by.charAt(MOST_NAME - 2));
    return by.substring(0, splits ? MOST_NAME - 2 : MOST_NAME - 1) + "…";
  }

  /** Returns the detail of the change with which it begins. */
  static String detail(String by) {
    return "by %s: finally steps and compensation are cancelled, too".formatted(by);
  }

  /**
   * Returns when the instance ends without a run, whatever becomes of that; null if that is not
   * forced.
   */
  static @Nullable Instant limit(InstanceData data, OpenRun run) {
    Instant at = data.forcedAt();
    if (data.forcedBy() == null || at == null) {
      return null;
    }
    ParentStep parent = data.created().parent();
    int below = InstanceMachine.MOST_DEPTH - (parent == null ? 0 : parent.depth());
    return at.plus(run.child() == null ? PATIENCE : PATIENCE.plus(LEVEL.multipliedBy(below)));
  }

  /** Returns the outcome of a run that is given up. */
  static StepOutcome givenUp(InstanceData data, OpenRun run, Instant now) {
    String what = run.child() == null ? "it" : "the instance " + run.child();
    Duration waited = Duration.between(Objects.requireNonNull(data.forcedAt()), now);
    return StepOutcome.cancelled(
        "%s%s, and had not after %s: whether %s still runs is not known"
            .formatted(GIVEN_UP, data.forcedBy(), Duration.ofSeconds(waited.toSeconds()), what));
  }

  /**
   * Returns the events that end an instance which cannot decide how: no other step of it changes.
   *
   * @param cause why it cannot
   */
  public static List<InstanceEvent> atOnce(
      InstanceData data, String by, Throwable cause, Instant now) {
    List<InstanceEvent> events = new ArrayList<>();
    if (data.forcedAt() == null) {
      events.add(new InstanceEvent.Forced(name(by), now));
    }
    String why =
        "its instance was ended by force of %s, as it could not go on: whether it still runs is not known"
            .formatted(name(by));
    data.steps()
        .forEach(
            (id, step) -> {
              if (step.isOpen()) {
                events.add(
                    new InstanceEvent.StepEnded(
                        id,
                        step.run(),
                        StepState.CANCELLED,
                        null,
                        0,
                        why,
                        null,
                        null,
                        now,
                        null,
                        null));
              }
            });
    InstanceOutcome outcome = data.undoing() == null ? InstanceOutcome.CANCELLED : data.undoing();
    String reason =
        "by force of %s; it could not go on: %s".formatted(name(by), Causes.message(cause));
    events.add(new InstanceEvent.Ended(outcome, reason, now));
    return events;
  }

  private static boolean isGivenUp(StepRecord record) {
    String reason = record.undo() == null ? record.reason() : record.undo().reason();
    return reason != null && reason.startsWith(GIVEN_UP);
  }

  /** Returns why a step was cancelled before it was ready; null if that needs no words. */
  static @Nullable String reasonOfStep(InstanceProgress its, int step) {
    String by = its.data().forcedBy();
    return by == null || !its.definition().graph().step(step).last()
        ? null
        : "%s cancelled the instance by force".formatted(by);
  }

  /** Returns the reason of an instance that ends, with what did not complete if that is forced. */
  static @Nullable String reason(
      InstanceProgress its, InstanceOutcome outcome, @Nullable String reason) {
    String by = its.data().forcedBy();
    if (by == null) {
      return reason;
    }
    String text = (reason == null ? "" : reason + "; ") + "by force of " + by;
    List<String> last = new ArrayList<>();
    List<String> undo = new ArrayList<>();
    List<String> runs = new ArrayList<>();
    boolean undoes = outcome == InstanceOutcome.FAILED || outcome == InstanceOutcome.CANCELLED;
    for (int step : its.definition().graph().order()) {
      if (isGivenUp(its.record(step))) {
        runs.add(its.id(step));
      }
      if (its.definition().graph().step(step).last()
          && its.record(step).state() == StepState.CANCELLED) {
        last.add(its.id(step));
      } else if (undoes && isNotUndone(its, step)) {
        undo.add(its.id(step));
      }
    }
    return text
        + (runs.isEmpty() ? "" : "; did not end: " + FirstNames.of(runs))
        + (last.isEmpty() ? "" : "; finally did not complete: " + FirstNames.of(last))
        + (undo.isEmpty() ? "" : "; not compensated: " + FirstNames.of(undo));
  }

  private static boolean isNotUndone(InstanceProgress its, int step) {
    StepRecord record = its.record(step);
    return its.definition().step(step).compensate() != null
        && record.state() == StepState.SUCCEEDED
        && (record.undo() == null || record.undo().state() != StepState.SUCCEEDED);
  }
}
