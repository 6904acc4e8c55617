package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepParameters;
import io.callboard.workflows.definition.StepParameters.Lack;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * End of an instance, with the compensation of what succeeded if it failed or was cancelled: one
 * step after the other, in reverse topological order. One that fails for good ends it, and so does
 * a user who forces the end: what was not undone then is not.
 */
@Machine
final class Compensations {
  private final InstanceMachine machine;

  Compensations(InstanceMachine machine) {
    this.machine = machine;
  }

  /** Goes on with the end of an instance whose steps are settled, and of which nothing is open. */
  void end(InstanceProgress its, InstanceOutcome ofGraph, Instant now) {
    if (its.data().undoing() != null) {
      next(its, its.data().undoing(), now);
      return;
    }
    boolean overdue = its.data().stop() == InstanceStop.TIMEOUT;
    InstanceOutcome outcome = overdue ? InstanceOutcome.FAILED : ofGraph;
    String reason = reason(its, outcome);
    boolean undo =
        (outcome == InstanceOutcome.FAILED || outcome == InstanceOutcome.CANCELLED)
            && its.data().forcedBy() == null
            && last(its) >= 0;
    if (undo) {
      its.emit(new InstanceEvent.UndoBegan(outcome, reason, now));
      next(its, outcome, now);
    } else {
      InstanceMachine.end(its, outcome, ForcedEnd.reason(its, outcome, reason), now);
    }
  }

  /**
   * Gives up the next attempt of a compensation whose end is forced, and asks an open run to end.
   */
  void forsakeIfForced(InstanceProgress its, Instant now) {
    if (its.data().forcedBy() == null) {
      return;
    }
    for (OpenRun each : its.open()) {
      if (each.undo() && each.dueAt() != null) {
        StepOutcome cancelled = StepOutcome.cancelled(ForcedEnd.WAITED);
        machine.settle(its, each, StepState.CANCELLED, cancelled, null, null, now);
      }
    }
  }

  private void next(InstanceProgress its, InstanceOutcome outcome, Instant now) {
    String reason = its.data().reason();
    String failure = failure(its);
    int step = last(its);
    if (failure != null) {
      InstanceMachine.end(its, outcome, (reason == null ? "" : reason + "; ") + failure, now);
    } else if (step < 0 || its.data().forcedBy() != null) {
      InstanceMachine.end(its, outcome, ForcedEnd.reason(its, outcome, reason), now);
    } else {
      undo(its, step, outcome, now);
    }
  }

  /** Starts the compensation of a step; one without parameters of its own fails at once. */
  private void undo(InstanceProgress its, int step, InstanceOutcome outcome, Instant now) {
    Optional<Lack> lack = StepParameters.lackOfUndo(its.definition().step(step));
    if (lack.isEmpty()) {
      machine.start(its, step, 1, null, now);
      if (its.openCount() == 0) { // nobody can run it
        next(its, outcome, now);
      }
      return;
    }
    String error =
        "%s (%s); its definition was stored by a version that did not check that"
            .formatted(lack.get().message(), lack.get().hint());
    its.emit(
        step,
        new InstanceEvent.StepEnded(
            its.id(step),
            its.record(step).run(),
            StepState.FAILED,
            null,
            0,
            error,
            null,
            null,
            now,
            null,
            null));
    next(its, outcome, now);
  }

  /** Returns the last step that is to be compensated; -1 if there is none. */
  private static int last(InstanceProgress its) {
    int[] order = its.definition().graph().order();
    for (int i = order.length - 1; i >= 0; i--) {
      StepRecord record = its.record(order[i]);
      if (record.state() == StepState.SUCCEEDED
          && record.undo() == null
          && its.definition().step(order[i]).compensate() != null) {
        return order[i];
      }
    }
    return -1;
  }

  private static @Nullable String failure(InstanceProgress its) {
    for (int step : its.definition().graph().order()) {
      StepRecord record = its.record(step);
      if (record.undo() != null && record.undo().state() == StepState.FAILED) {
        return "the compensation of step %s failed: %s; those of the steps before it did not run"
            .formatted(its.id(step), record.undo().reason());
      }
    }
    return null;
  }

  private static @Nullable String reason(InstanceProgress its, InstanceOutcome outcome) {
    Duration timeout = its.data().created().timeout(its.definition().definition().timeout());
    if (its.data().stop() == InstanceStop.TIMEOUT) {
      return "it was over its timeout of %s".formatted(timeout);
    } else if (outcome == InstanceOutcome.CANCELLED) {
      return "it was cancelled";
    } else if (outcome != InstanceOutcome.FAILED) {
      return null;
    }
    for (int step : its.definition().graph().order()) {
      if (its.run().fails(step)) {
        return "step %s failed: %s".formatted(its.id(step), its.record(step).reason());
      }
    }
    return null;
  }
}
