package io.callboard.workflows.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.protocol.StepRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words about the end of an instance that somebody forces: who, and what did not complete. */
@Machine
final class ForcedEnd {
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
    boolean undoes = outcome == InstanceOutcome.FAILED || outcome == InstanceOutcome.CANCELLED;
    for (int step : its.definition().graph().order()) {
      if (its.definition().graph().step(step).last()
          && its.record(step).state() == StepState.CANCELLED) {
        last.add(its.id(step));
      } else if (undoes && isNotUndone(its, step)) {
        undo.add(its.id(step));
      }
    }
    return text
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
