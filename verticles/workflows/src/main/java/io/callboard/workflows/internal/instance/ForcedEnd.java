package io.callboard.workflows.internal.instance;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.model.WorkflowWhy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** Prefix of the reason of a step whose run was given up. */
  private static final String GIVEN_UP = "it was asked to end by force of ";

  /** Remedy for an instance whose finally steps or compensation do not end. */
  static final String WAY =
      "a cancellation with force ends it without its finally steps and its compensation";

  /** Reason of a step of which no run was open. */
  static final String WAITED = "it was cancelled while it waited for its next attempt";

  private static final int MOST_NAME = 100;

  private ForcedEnd() {}

  /** Returns the name of the user who forces an end, cut to the length that is stored. */
  static String name(String by) {
    return by.length() <= MOST_NAME ? by : CutText.head(by, MOST_NAME - 1) + "…";
  }

  /** Returns the detail of the change with which a forced end begins. */
  static String detail(String by) {
    return "by %s: finally steps and compensation are cancelled, too".formatted(by);
  }

  /**
   * Returns the time after which a forced end does not wait for a run; null if the end is not
   * forced.
   */
  static @Nullable Instant limit(InstanceData data, OpenRun run) {
    Instant at = data.forcedAt();
    if (data.forcedBy() == null || at == null) {
      return null;
    }
    ParentStep parent = data.created().parent();
    int below = TreeLimits.MOST_DEPTH - (parent == null ? 0 : parent.depth());
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
   * Returns the events that end an instance without a decision by its graph: no other step of it
   * changes, and open runs are given up.
   *
   * @param definition its definition; null if that cannot be read
   * @param cause why it cannot
   */
  public static List<InstanceEvent> atOnce(
      InstanceData data,
      @Nullable CheckedDefinition definition,
      String by,
      Throwable cause,
      Instant now) {
    List<InstanceEvent> events = new ArrayList<>();
    if (data.stop() == null && data.undoing() == null) {
      events.add(new InstanceEvent.Stopped(InstanceStop.CANCEL, now));
    }
    if (data.forcedAt() == null) {
      events.add(new InstanceEvent.Forced(name(by), now));
    }
    data.steps()
        .asMap()
        .forEach(
            (id, step) -> {
              if (step.isOpen()) {
                events.add(givenUpAtOnce(id, step, name(by), now));
              }
            });
    InstanceData after = data;
    for (InstanceEvent event : events) {
      after = InstanceFold.apply(after, event);
    }
    boolean overdue = after.stop() == InstanceStop.TIMEOUT;
    InstanceOutcome outcome = overdue ? InstanceOutcome.FAILED : InstanceOutcome.CANCELLED;
    outcome = after.undoing() == null ? outcome : after.undoing();
    String ended = overdue ? "it was over its timeout" : "it was cancelled";
    String reason =
        begin(after, after.undoing() == null ? ended : after.reason())
            + "; it could not go on: "
            + Causes.message(cause)
            + incomplete(after, definition, outcome);
    events.add(new InstanceEvent.Ended(outcome, reason, now));
    return events;
  }

  /** Returns the reasons of an instance that cannot go on. */
  public static WorkflowWhy why(InstanceData data, Throwable cause) {
    return data.outcome() == null
        ? new WorkflowWhy(
            data.state(),
            "it cannot go on: %s; %s".formatted(Causes.message(cause), WAY),
            null,
            Map.of(),
            null)
        : InstanceReasons.ofEnded(data);
  }

  private static InstanceEvent givenUpAtOnce(String id, StepRecord step, String by, Instant now) {
    String why =
        step.isOpen(step.run())
            ? "%s%s, and its instance could not wait for that: whether it still runs is not known"
                .formatted(GIVEN_UP, by)
            : WAITED;
    return new InstanceEvent.StepEnded(
        id, step.run(), StepState.CANCELLED, null, 0, why, null, null, now, null, null);
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

  /** Returns the reason of an instance that ends; for a forced end with what did not complete. */
  static @Nullable String reason(
      InstanceProgress its, InstanceOutcome outcome, @Nullable String reason) {
    return its.data().forcedBy() == null
        ? reason
        : begin(its.data(), reason) + incomplete(its.data(), its.definition(), outcome);
  }

  private static String begin(InstanceData data, @Nullable String reason) {
    return (reason == null ? "" : reason + "; ") + "by force of " + data.forcedBy();
  }

  /** Returns what did not complete; without a definition it is not known what was to come. */
  private static String incomplete(
      InstanceData data, @Nullable CheckedDefinition definition, InstanceOutcome outcome) {
    List<String> runs = new ArrayList<>();
    if (definition == null) {
      data.steps().asMap().forEach((id, step) -> add(runs, id, isGivenUp(step)));
      return list("did not end", runs)
          + "; finally steps and compensation that were left did not run";
    }
    List<String> last = new ArrayList<>();
    List<String> undo = new ArrayList<>();
    boolean undoes = outcome == InstanceOutcome.FAILED || outcome == InstanceOutcome.CANCELLED;
    for (int step : definition.graph().order()) {
      String id = definition.graph().step(step).id();
      StepRecord record = data.steps().get(id);
      StepState state = record.state();
      boolean unfinished =
          definition.graph().step(step).last()
              && (state == StepState.CANCELLED || state == StepState.PENDING);
      add(runs, id, isGivenUp(record));
      add(last, id, unfinished);
      add(undo, id, !unfinished && undoes && isNotUndone(definition.step(step), record));
    }
    return list("did not end", runs)
        + list("finally did not complete", last)
        + list("not compensated", undo);
  }

  private static void add(List<String> names, String name, boolean adds) {
    if (adds) {
      names.add(name);
    }
  }

  private static String list(String what, List<String> names) {
    return names.isEmpty() ? "" : "; %s: %s".formatted(what, FirstNames.of(names));
  }

  private static boolean isNotUndone(StepDefinition step, StepRecord record) {
    return step.compensate() != null
        && record.state() == StepState.SUCCEEDED
        && (record.undo() == null || record.undo().state() != StepState.SUCCEEDED);
  }
}
