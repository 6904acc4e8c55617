package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs that the desk knows: for each step at most one that stands for it, and those that workers
 * have beside it; and the times at which something is due for them.
 */
final class DeskTable {
  private final Map<String, Map<String, DeskRun>> byInstance = new HashMap<>();
  private final Map<String, List<DeskRun>> beside = new HashMap<>();
  private final TreeSet<DeskRun> due = new TreeSet<>(DeskRun.BY_DUE);

  /**
   * Returns the run of the step of {@code key}, which may be another one; null if none is known.
   */
  @Nullable DeskRun ofStep(StepRunKey key) {
    Map<String, DeskRun> steps = byInstance.get(key.instance());
    return steps == null ? null : steps.get(key.step());
  }

  /** Returns the runs that stand for the steps of an instance. */
  Collection<DeskRun> ofInstance(String instance) {
    Map<String, DeskRun> steps = byInstance.get(instance);
    return steps == null ? List.of() : steps.values();
  }

  /** Adds a run that stands for its step, in place of another one. */
  void put(DeskRun run) {
    notBeside(run);
    byInstance
        .computeIfAbsent(run.key.instance(), instance -> new HashMap<>(2))
        .put(run.key.step(), run);
  }

  /** Adds a run beside the one that stands for its step. */
  void setBeside(DeskRun run) {
    run.beside = true;
    beside.computeIfAbsent(run.key.instance(), instance -> new ArrayList<>(1)).add(run);
  }

  private void notBeside(DeskRun run) {
    if (run.beside) {
      run.beside = false;
      List<DeskRun> all = beside.getOrDefault(run.key.instance(), List.of());
      all.removeIf(each -> each == run);
      if (all.isEmpty()) {
        beside.remove(run.key.instance());
      }
    }
  }

  /** Returns the runs that workers have beside the one that stands for the step of {@code key}. */
  List<DeskRun> beside(StepRunKey key) {
    return beside.getOrDefault(key.instance(), List.of()).stream()
        .filter(run -> run.key.step().equals(key.step()))
        .toList();
  }

  /** Removes a run, unless another one stands for its step. */
  void remove(DeskRun run) {
    notDue(run);
    notBeside(run);
    Map<String, DeskRun> steps = byInstance.get(run.key.instance());
    if (steps != null && steps.remove(run.key.step(), run) && steps.isEmpty()) {
      byInstance.remove(run.key.instance());
    }
  }

  /** Calls {@code each} with each run that stands for its step. */
  void forEach(Consumer<DeskRun> each) {
    byInstance.values().forEach(steps -> steps.values().forEach(each));
  }

  /** Records when something is due for a run. */
  void dueAt(DeskRun run, long dueNs) {
    notDue(run);
    run.dueNs = dueNs;
    run.due = true;
    due.add(run);
  }

  /** Records that nothing is due for a run. */
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
