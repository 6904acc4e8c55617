package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.StepView;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Views of an instance for its users. */
@Machine
public final class InstanceViews {
  private InstanceViews() {}

  /**
   * Returns the view of an instance, with copies of its data.
   *
   * @param runs worker that has accepted the present run of a step, or its job, by id of the step;
   *     null for none
   */
  public static Instance of(InstanceProgress its, Function<String, @Nullable String> runs) {
    StepGraph graph = its.definition().graph();
    Map<String, StepView> steps = new LinkedHashMap<>();
    for (int step = 0; step < graph.size(); step++) {
      String id = graph.step(step).id();
      steps.put(id, step(its, step, its.data().steps().get(id), runs));
    }
    return of(its.data(), steps);
  }

  /** Returns the view of an instance without its definition: of the steps that have begun. */
  public static Instance stored(InstanceData data) {
    Map<String, StepView> steps = new LinkedHashMap<>();
    data.steps()
        .asMap()
        .forEach(
            (id, step) -> steps.put(id, step(step, step.state(), step.worker(), step.child())));
    return of(data, steps);
  }

  private static Instance of(InstanceData data, Map<String, StepView> steps) {
    InstanceSpec spec = data.created();
    return new Instance(
        spec.id(),
        spec.definition(),
        spec.version(),
        data.state(),
        spec.priority(),
        spec.labels(),
        spec.uniqueKey(),
        spec.parent() == null ? null : spec.parent().instance(),
        spec.input().deepCopy(),
        spec.createdAt(),
        data.endedAt(),
        data.reason(),
        data.undoing() != null,
        steps);
  }

  /** Returns the row of an instance in lists. */
  public static InstanceRow row(InstanceProgress its) {
    return row(its.data(), its.counts());
  }

  /** Returns the row of an instance without its definition: it counts the steps that have begun. */
  public static InstanceRow row(InstanceData data) {
    Map<StepState, Integer> counts = new EnumMap<>(StepState.class);
    data.steps().forEach((id, step) -> counts.merge(step.state(), 1, Integer::sum));
    return row(data, counts);
  }

  private static InstanceRow row(InstanceData data, Map<StepState, Integer> counts) {
    InstanceSpec spec = data.created();
    return new InstanceRow(
        spec.id(),
        data.change(),
        spec.definition(),
        spec.version(),
        data.state(),
        spec.priority(),
        spec.labels(),
        spec.parent() == null ? null : spec.parent().instance(),
        spec.createdAt(),
        data.endedAt(),
        counts);
  }

  /**
   * Returns the state of a step as it is shown: an instance that ends at once leaves steps that did
   * not begin PENDING, as it may not know them; its end has cancelled them.
   */
  static StepState shown(InstanceData data, StepState recorded) {
    return data.outcome() != null && recorded == StepState.PENDING ? StepState.CANCELLED : recorded;
  }

  private static StepView step(
      InstanceProgress its, int step, StepRecord record, Function<String, @Nullable String> runs) {
    StepState state = shown(its.data(), record.state());
    String worker = record.worker();
    if (state == StepState.PENDING && its.stateInGraph(step) == StepState.READY) {
      state = StepState.READY;
    } else if (state == StepState.RUNNING && forWorker(its, step)) {
      worker = runs.apply(its.id(step));
      state = worker == null ? StepState.READY : StepState.RUNNING;
    }
    String child =
        record.child() == null && isJob(its, step, record)
            ? runs.apply(its.id(step))
            : record.child();
    return step(record, state, worker, child);
  }

  private static StepView step(
      StepRecord record, StepState state, @Nullable String worker, @Nullable String child) {
    if (state == StepState.PENDING && record.run() == 0) {
      return StepView.PENDING;
    }
    return new StepView(
        state,
        record.attempt(),
        record.run(),
        record.startedAt(),
        record.endedAt(),
        record.dueAt(),
        record.reason(),
        record.output() == null ? null : record.output().deepCopy(),
        worker,
        child,
        record.undo() == null ? null : record.undo().state(),
        record.blob() == null ? null : record.blob().bytes());
  }

  /** Returns whether a job runs the step, or what undoes it. */
  private static boolean isJob(InstanceProgress its, int step, StepRecord record) {
    return record.isOpen() && its.definition().step(step).run(record.undo() != null).isJob();
  }

  private static boolean forWorker(InstanceProgress its, int step) {
    return switch (its.definition().step(step).run().kind()) {
      case HANDLER, HTTP -> true;
      case PROCESS, JOB, SUBWORKFLOW -> false;
    };
  }
}
