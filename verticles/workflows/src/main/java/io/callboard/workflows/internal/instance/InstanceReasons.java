package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepGraph;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowWhy.StepWhy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reasons why an instance and its steps are where they are. */
@Machine
public final class InstanceReasons {
  private final InstanceProgress its;
  private final Function<String, @Nullable RunStatus> status;
  private final Map<String, StepWhy> steps = new LinkedHashMap<>();
  private int more;

  private InstanceReasons(InstanceProgress its, Function<String, @Nullable RunStatus> status) {
    this.its = its;
    this.status = status;
  }

  /**
   * Returns the reasons.
   *
   * @param status where the present run of a step is, by id of the step; null if that is not known
   */
  public static WorkflowWhy of(InstanceProgress its, Function<String, @Nullable RunStatus> status) {
    return new InstanceReasons(its, status).all();
  }

  /** Returns the reasons of an instance that has ended. */
  static WorkflowWhy ofEnded(InstanceData data) {
    String reason = data.reason() == null ? "it has ended" : data.reason();
    return new WorkflowWhy(data.state(), reason, data.endedAt(), Map.of(), null);
  }

  private WorkflowWhy all() {
    InstanceData data = its.data();
    if (data.outcome() != null) {
      return ofEnded(data);
    }
    StepGraph graph = its.definition().graph();
    List<String> open = new ArrayList<>();
    for (int step = 0; step < graph.size(); step++) {
      if (its.open(step) != null || its.stateInGraph(step) == StepState.READY) {
        open.add(graph.step(step).id());
        put(step);
      }
    }
    for (int step = 0; step < graph.size(); step++) {
      if (its.stateInGraph(step) == StepState.PENDING) {
        put(step);
      }
    }
    return new WorkflowWhy(
        data.state(),
        summary(open),
        data.stop() == null ? data.begunAt() : data.stoppedAt(),
        steps,
        more == 0 ? null : more);
  }

  private void put(int step) {
    if (steps.size() < WorkflowWhy.MOST_STEPS) {
      steps.put(its.id(step), step(step));
    } else {
      more++;
    }
  }

  private String summary(List<String> open) {
    String names = FirstNames.of(open);
    InstanceStop stop = its.data().stop();
    if (open.isEmpty()) {
      return "it goes on at once";
    } else if (its.data().forcedBy() != null) {
      Instant until = its.nextDue();
      return "it was cancelled by force of %s and waits for the end of %s%s"
          .formatted(
              its.data().forcedBy(),
              names,
              until == null ? "" : " until %s, then it ends without".formatted(until));
    } else if (its.data().undoing() != null) {
      return "it is %s and undoes what succeeded; now %s%s"
          .formatted(its.data().undoing(), names, wayOut());
    } else if (stop != null) {
      return "it %s and waits for the end of %s%s"
          .formatted(
              stop == InstanceStop.CANCEL ? "was cancelled" : "is over its timeout",
              names,
              wayOut());
    }
    return "it waits for %s".formatted(names);
  }

  /** Returns how to end it nevertheless, if something runs that a cancellation spares. */
  private String wayOut() {
    return its.open().stream().anyMatch(this::isSpared) ? "; " + ForcedEnd.WAY : "";
  }

  /** Returns whether a cancellation spares a run, or finally steps of its sub-workflow. */
  private boolean isSpared(OpenRun open) {
    return open.undo() || its.definition().graph().step(open.step()).last() || isSubworkflow(open);
  }

  private boolean isSubworkflow(OpenRun open) {
    return open.child() != null
        && its.definition().step(open.step()).run(open.undo()).kind() == StepRun.Kind.SUBWORKFLOW;
  }

  private StepWhy step(int step) {
    OpenRun open = its.open(step);
    if (open == null) {
      return its.stateInGraph(step) == StepState.READY
          ? new StepWhy(
              "slots",
              "it is ready; an instance has at most %,d open steps at once"
                  .formatted(InstanceMachine.MOST_OPEN),
              null)
          : waits(step);
    } else if (open.dueAt() != null) {
      return new StepWhy(
          "retry",
          "attempt %d failed: %s; the next one is due at %s"
              .formatted(open.attempt(), reason(open), open.dueAt()),
          open.dueAt());
    }
    return runs(step, open);
  }

  private @Nullable String reason(OpenRun open) {
    StepRecord record = its.record(open.step());
    return record.undo() == null ? record.reason() : record.undo().reason();
  }

  private StepWhy waits(int step) {
    GraphStep graphStep = its.definition().graph().step(step);
    List<String> sources = new ArrayList<>();
    for (StepEdge edge : graphStep.after()) {
      int source = its.definition().graph().index(edge.from()).orElseThrow();
      if (!its.stateInGraph(source).isSettled()) {
        sources.add("%s of %s".formatted(edge.on().word(), edge.from()));
      }
    }
    String text =
        sources.isEmpty()
            ? "it begins when all other steps are settled"
            : "it waits for " + FirstNames.of(sources);
    return new StepWhy("waits-for", text, null);
  }

  /** Returns why there is no job that could be cancelled; empty if there may be one. */
  private static String refusal(@Nullable RunStatus its) {
    return its != null && its.kind() == RunStatus.Kind.REFUSED
        ? "; its job is refused for now: " + its.why()
        : "";
  }

  private StepWhy runs(int step, OpenRun open) {
    StepRun run = its.definition().step(step).run(open.undo());
    String prefix = open.undo() ? "its compensation " : "it ";
    RunStatus now = status.apply(its.id(step));
    if (its.isAborting(step)) {
      String what =
          isSubworkflow(open) ? ": the instance " + open.child() : run.isJob() ? refusal(now) : "";
      return new StepWhy("cancelling", prefix + "was asked to end, and has not yet" + what, null);
    } else if (isSubworkflow(open)) {
      return new StepWhy(
          "subworkflow", prefix + "waits for the instance %s".formatted(open.child()), null);
    }
    if (now == null) {
      return new StepWhy("requested", prefix + "is about to be requested", null);
    }
    return switch (now.kind()) {
      case REQUESTED ->
          new StepWhy(
              "requested",
              prefix
                  + "was requested, and nobody has answered yet%s"
                      .formatted(now.why() == null ? "" : ": " + now.why()),
              null);
      case REFUSED -> new StepWhy("refused", prefix + "is refused for now: " + now.why(), null);
      case QUEUED -> new StepWhy("queued", prefix + "waits for a worker that offers " + run, null);
      case RUNNING ->
          new StepWhy(
              "running",
              prefix + "runs on worker %s since %s".formatted(now.by(), now.since()),
              null);
      case JOB -> new StepWhy("job", prefix + "waits for the job " + now.by(), null);
    };
  }
}
