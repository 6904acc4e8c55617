package io.callboard.workflows.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.protocol.InstanceSpec;
import io.callboard.workflows.protocol.StepRecord;
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
    InstanceSpec spec = its.data().created();
    StepGraph graph = its.definition().graph();
    Map<String, StepView> steps = new LinkedHashMap<>();
    for (int step = 0; step < graph.size(); step++) {
      String id = graph.step(step).id();
      steps.put(id, step(its, step, its.data().steps().get(id), runs));
    }
    return new Instance(
        spec.id(),
        spec.definition(),
        spec.version(),
        its.data().state(),
        spec.priority(),
        spec.labels(),
        spec.uniqueKey(),
        spec.parent() == null ? null : spec.parent().instance(),
        spec.input().deepCopy(),
        spec.createdAt(),
        its.data().endedAt(),
        its.data().reason(),
        its.data().undoing() != null,
        steps);
  }

  /** Returns the row of an instance in lists. */
  public static InstanceRow row(InstanceProgress its) {
    InstanceSpec spec = its.data().created();
    return new InstanceRow(
        spec.id(),
        its.data().change(),
        spec.definition(),
        spec.version(),
        its.data().state(),
        spec.priority(),
        spec.labels(),
        spec.parent() == null ? null : spec.parent().instance(),
        spec.createdAt(),
        its.data().endedAt(),
        its.counts());
  }

  private static StepView step(
      InstanceProgress its, int step, StepRecord record, Function<String, @Nullable String> runs) {
    StepState state = record.state();
    String worker = record.worker();
    if (state == StepState.PENDING && its.stateInGraph(step) == StepState.READY) {
      state = StepState.READY;
    } else if (state == StepState.RUNNING && forWorker(its, step)) {
      worker = runs.apply(its.id(step));
      state = worker == null ? StepState.READY : StepState.RUNNING;
    }
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
        record.child() == null && isJob(its, step, record)
            ? runs.apply(its.id(step))
            : record.child(),
        record.undo() == null ? null : record.undo().state(),
        record.blob() == null ? null : record.blob().bytes());
  }

  /** Returns whether a job runs the step, or what undoes it. */
  private static boolean isJob(InstanceProgress its, int step, StepRecord record) {
    return record.isOpen()
        && its.definition().step(step).run(record.undo() != null).kind() == StepRun.Kind.PROCESS;
  }

  private static boolean forWorker(InstanceProgress its, int step) {
    return switch (its.definition().step(step).run().kind()) {
      case HANDLER, HTTP -> true;
      case PROCESS, SUBWORKFLOW -> false;
    };
  }
}
