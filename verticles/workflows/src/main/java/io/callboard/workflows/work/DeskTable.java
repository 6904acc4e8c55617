package io.callboard.workflows.work;

import io.callboard.workflows.protocol.StepRunKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs that the desk knows, one of a step at most, and those for which something becomes due. */
final class DeskTable {
  private final Map<String, Map<String, DeskRun>> byInstance = new HashMap<>();
  private final TreeSet<DeskRun> due = new TreeSet<>(DeskRun.BY_DUE);

  /**
   * Returns the run of the step of {@code key}, which may be another one; null if none is known.
   */
  @Nullable DeskRun ofStep(StepRunKey key) {
    Map<String, DeskRun> steps = byInstance.get(key.instance());
    return steps == null ? null : steps.get(key.step());
  }

  /** Returns the runs of an instance. */
  Collection<DeskRun> ofInstance(String instance) {
    Map<String, DeskRun> steps = byInstance.get(instance);
    return steps == null ? List.of() : steps.values();
  }

  /** Adds a run, in place of another one of its step. */
  void put(DeskRun run) {
    byInstance
        .computeIfAbsent(run.key.instance(), instance -> new HashMap<>(2))
        .put(run.key.step(), run);
  }

  /** Removes a run, unless another one of its step is in its place. */
  void remove(DeskRun run) {
    notDue(run);
    Map<String, DeskRun> steps = byInstance.get(run.key.instance());
    if (steps != null && steps.remove(run.key.step(), run) && steps.isEmpty()) {
      byInstance.remove(run.key.instance());
    }
  }

  /** Calls {@code each} with each run. */
  void forEach(Consumer<DeskRun> each) {
    byInstance.values().forEach(steps -> steps.values().forEach(each));
  }

  /** Notes when something is due for a run. */
  void dueAt(DeskRun run, long dueNs) {
    notDue(run);
    run.dueNs = dueNs;
    run.due = true;
    due.add(run);
  }

  /** Notes that nothing is due for a run. */
  void notDue(DeskRun run) {
    if (run.due) {
      due.remove(run);
      run.due = false;
    }
  }

  /** Returns a run for which something is due, and forgets that; null if there is none. */
  @Nullable DeskRun nextDue(long nowNs) {
    if (due.isEmpty() || due.first().dueNs - nowNs > 0) {
      return null;
    }
    DeskRun run = due.first();
    notDue(run);
    return run;
  }
}
