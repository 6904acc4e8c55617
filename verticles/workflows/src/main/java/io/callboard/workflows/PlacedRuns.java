package io.callboard.workflows;

import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowWhy.StepWhy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** View of an instance for users, with what the desk knows of its runs. */
final class PlacedRuns {
  /** Kinds of reasons of which the desk knows more than the node of the instance. */
  private static final Set<String> PLACED = Set.of("queued", "requested", "running");

  private PlacedRuns() {}

  /** Returns the reasons with what the desk knows about the steps that wait for a worker. */
  static WorkflowWhy of(WorkflowWhy why, List<RunPlace> places, Instant now) {
    Map<String, StepWhy> steps = new LinkedHashMap<>(why.steps());
    for (RunPlace place : places) {
      steps.computeIfPresent(place.key().step(), (step, known) -> placed(known, place, now));
    }
    return why.with(steps);
  }

  /** Returns whether the desk may know more about an instance than the instance's own node. */
  static boolean mayBePlaced(Instance instance) {
    return !instance.state().isEnded()
        && instance.steps().values().stream().anyMatch(step -> step.state() == StepState.READY);
  }

  /** Returns the instance with the steps that a worker runs as RUNNING. */
  static Instance of(Instance instance, List<RunPlace> places) {
    Map<String, StepView> steps = new LinkedHashMap<>(instance.steps());
    for (RunPlace place : places) {
      if (place.state() == RunPlace.State.RUNNING) {
        steps.computeIfPresent(
            place.key().step(),
            (id, step) ->
                step.state() == StepState.READY && step.runs() == place.key().run()
                    ? step.running(place.worker())
                    : step);
      }
    }
    return instance.with(steps);
  }

  private static StepWhy placed(StepWhy known, RunPlace place, Instant now) {
    if (!PLACED.contains(known.kind())) {
      return known;
    } else if (known.kind().equals("running") && place.state() == RunPlace.State.RUNNING) {
      return new StepWhy(known.kind(), known.text() + heartbeat(place, now), known.until());
    }
    return switch (place.state()) {
      case QUEUED ->
          new StepWhy(
              "queued",
              "it waits at the desk since %s%s%s"
                  .formatted(
                      place.since(),
                      place.ahead() == null ? "" : ", behind %,d others".formatted(place.ahead()),
                      place.why() == null ? "" : ": " + place.why()),
              null);
      case ASSIGNED ->
          new StepWhy(
              "queued",
              "it is with worker %s since %s%s"
                  .formatted(
                      place.worker(), place.since(), place.why() == null ? "" : ": " + place.why()),
              null);
      case RUNNING ->
          new StepWhy(
              "running",
              place.why() == null
                  ? "it runs on worker %s since %s%s"
                      .formatted(place.worker(), place.since(), heartbeat(place, now))
                  : "it is with worker %s since %s: %s"
                      .formatted(place.worker(), place.since(), place.why()),
              null);
      case REVOKED ->
          new StepWhy(
              "queued",
              "worker %s has not confirmed yet that it does not run it".formatted(place.worker()),
              null);
    };
  }

  /** Returns what the handler has reported last, to follow where it runs. */
  private static String heartbeat(RunPlace place, Instant now) {
    Instant at = place.heartbeatAt();
    if (place.heartbeat() == null) {
      return "";
    } else if (at == null) {
      return "; last heartbeat: " + place.heartbeat();
    }
    long seconds = Math.max(0, Duration.between(at, now).toSeconds()); // clocks of nodes differ
    return "; last heartbeat %,d s ago: %s".formatted(seconds, place.heartbeat());
  }
}
