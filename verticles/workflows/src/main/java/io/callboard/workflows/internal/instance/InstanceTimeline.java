package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.StepView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Timeline of an instance for people, from its present state and its history. */
@Machine
public final class InstanceTimeline {
  private InstanceTimeline() {}

  /**
   * Returns the changes, the oldest first.
   *
   * @param history those that the steps do not show any more
   */
  public static List<InstanceChange> of(Instance instance, List<InstanceChange> history) {
    List<InstanceChange> changes = new ArrayList<>();
    changes.add(
        new InstanceChange(instance.createdAt(), null, "created", "version " + instance.version()));
    changes.addAll(history);
    instance.steps().forEach((id, step) -> add(changes, id, step));
    if (instance.endedAt() != null) {
      changes.add(
          new InstanceChange(
              instance.endedAt(), null, word(instance.state().name()), instance.reason()));
    }
    changes.sort(Comparator.comparing(InstanceChange::at)); // stable: as declared where equal
    return List.copyOf(changes);
  }

  private static void add(List<InstanceChange> changes, String id, StepView step) {
    if (step.startedAt() != null) {
      changes.add(new InstanceChange(step.startedAt(), id, "started", null));
    }
    if (step.endedAt() != null) {
      String attempts = step.attempts() > 1 ? "after %d attempts".formatted(step.attempts()) : null;
      changes.add(
          new InstanceChange(
              step.endedAt(),
              id,
              word(step.state().name()),
              step.state() == StepState.SUCCEEDED || step.reason() == null
                  ? attempts
                  : step.reason()));
    }
  }

  private static String word(String state) {
    return state.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
