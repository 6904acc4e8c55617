package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.supervision.Causes;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.instance.ForcedEnd;
import io.callboard.workflows.internal.instance.InstanceProgress;
import io.callboard.workflows.internal.instance.InstanceReasons;
import io.callboard.workflows.internal.instance.InstanceTimeline;
import io.callboard.workflows.internal.instance.InstanceViews;
import io.callboard.workflows.internal.instance.RunStatus;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowWhy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers of the actor of one instance to questions that change nothing. */
final class InstanceAnswers {
  private final Supplier<String> id;
  private final InstanceEnvironment env;
  private final StartAdmission pass;
  private final Supplier<InstanceData> state;
  private final Supplier<InstanceProgress> progress;
  private final Supplier<@Nullable Throwable> stuck;

  /**
   * Creates the answers of an instance.
   *
   * @param id its id
   * @param progress its cursor, asked for only if there is an instance that can go on
   * @param stuck why it cannot go on; null if it can
   */
  InstanceAnswers(
      Supplier<String> id,
      InstanceEnvironment env,
      StartAdmission pass,
      Supplier<InstanceData> state,
      Supplier<InstanceProgress> progress,
      Supplier<@Nullable Throwable> stuck) {
    this.stuck = stuck;
    this.id = id;
    this.env = env;
    this.pass = pass;
    this.state = state;
    this.progress = progress;
  }

  /** Returns the refusal of a request to an instance that does not exist. */
  InstanceAnswer notFound() {
    return InstanceAnswer.Refused.noInstance(id.get());
  }

  /** Returns the refusal of a request about a step that does not exist. */
  static InstanceAnswer noStep(String step) {
    return InstanceAnswer.Refused.of(
        Code.NOT_FOUND, "the definition has no step \"%.100s\"".formatted(step));
  }

  private InstanceAnswer ifThere(Supplier<InstanceAnswer> answer) {
    return state.get().spec() == null ? notFound() : answer.get();
  }

  /**
   * Returns the refusal of a request that needs the definition, for an instance that cannot go on.
   */
  static InstanceAnswer stuck(Throwable cause) {
    return InstanceAnswer.Refused.of(
        Code.UNAVAILABLE, "the instance cannot go on: " + Causes.message(cause));
  }

  /** Returns the instance; if it cannot go on, with only the steps that have begun. */
  InstanceAnswer is() {
    return ifThere(() -> new InstanceAnswer.Is(instance()));
  }

  private Instance instance() {
    return stuck.get() == null
        ? InstanceViews.of(progress.get(), this::by)
        : InstanceViews.stored(state.get());
  }

  /** Returns the instance without its definition. */
  InstanceAnswer stored() {
    return new InstanceAnswer.Is(InstanceViews.stored(state.get()));
  }

  /** Returns the timeline of the instance. */
  InstanceAnswer timeline() {
    return ifThere(
        () -> new InstanceAnswer.Changes(InstanceTimeline.of(instance(), state.get().past())));
  }

  /** Returns the reasons of the instance. */
  InstanceAnswer why() {
    return ifThere(() -> new InstanceAnswer.Reasons(reasons()));
  }

  private WorkflowWhy reasons() {
    Throwable cause = stuck.get();
    if (cause != null) {
      return ForcedEnd.why(state.get(), cause);
    }
    return pass.holds(state.get())
        ? pass.why(state.get())
        : InstanceReasons.of(progress.get(), this::status);
  }

  /** Returns the output of a step, or the reference to it. */
  InstanceAnswer output(String step) {
    return ifThere(() -> outputOf(step));
  }

  private InstanceAnswer outputOf(String step) {
    if (stuck.get() == null && progress.get().definition().graph().index(step).isEmpty()) {
      return noStep(step);
    }
    StepRecord its = state.get().steps().get(step);
    JsonNode output = its.output();
    return its.state() == StepState.SUCCEEDED
        ? new InstanceAnswer.Output(output, its.blob())
        : InstanceAnswer.Refused.of(
            Code.NOT_FOUND, "the step %s is %s and has no output".formatted(step, its.state()));
  }

  /** Returns whether a run is open, also for an instance that does not exist. */
  InstanceAnswer isOpen(InstanceCommand.IsOpen asked) {
    StepRecord its = state.get().spec() == null ? null : state.get().steps().get(asked.step());
    return new InstanceAnswer.Open(its != null && its.isOpen(asked.run()));
  }

  /** Returns the worker or the job of the present run of a step; null for none. */
  private @Nullable String by(String step) {
    RunStatus status = status(step);
    return status == null ? null : status.by();
  }

  private @Nullable RunStatus status(String step) {
    InstanceData its = state.get();
    StepRunKey run = new StepRunKey(its.created().id(), step, its.steps().get(step).run());
    RunStatus status = env.requests().status(run);
    return status == null ? env.jobs().status(run) : status;
  }
}
