package io.callboard.workflows.internal.instance;

import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.model.InstanceChange;
import org.jspecify.annotations.Nullable;

/** History of an instance: changes that its steps do not show later. */
@Machine
final class PastChanges {
  private static final int MOST_TEXT = 200;

  private PastChanges() {}

  /** Returns the change that the history has for an event; null for none. */
  static @Nullable InstanceChange of(InstanceData data, InstanceEvent event) {
    boolean undo = data.undoing() != null;
    if (event instanceof InstanceEvent.StepRetries e) {
      return new InstanceChange(
          e.at(),
          e.step(),
          undo ? "compensation failed, is retried" : "failed, is retried",
          "run %d: %s".formatted(e.run(), cut(e.error())));
    } else if (event instanceof InstanceEvent.StepLost e) {
      return new InstanceChange(
          e.at(), e.step(), "run lost", "run %d: %s".formatted(e.run(), cut(e.cause())));
    } else if (event instanceof InstanceEvent.StepEnded e && undo) {
      return new InstanceChange(
          e.at(),
          e.step(),
          switch (e.state()) {
            case SUCCEEDED -> "compensated";
            case CANCELLED -> "compensation cancelled";
            default -> "compensation failed";
          },
          e.error() == null ? null : cut(e.error()));
    } else if (event instanceof InstanceEvent.Stopped e) {
      return new InstanceChange(
          e.at(), null, e.cause() == InstanceStop.CANCEL ? "cancelling" : "over its timeout", null);
    } else if (event instanceof InstanceEvent.Forced e) {
      return new InstanceChange(e.at(), null, "cancelling by force", ForcedEnd.detail(e.by()));
    } else if (event instanceof InstanceEvent.UndoBegan e) {
      return new InstanceChange(e.at(), null, "compensation began", e.reason());
    } else if (event instanceof InstanceEvent.Reopened e) {
      return new InstanceChange(
          e.at(),
          null,
          e.from() == null ? "retried" : "run again from " + e.from(),
          "%,d steps begin anew; it was %s".formatted(e.steps(data.steps()).size(), data.state()));
    }
    return null;
  }

  private static String cut(String text) {
    return Causes.cut(text, MOST_TEXT);
  }
}
