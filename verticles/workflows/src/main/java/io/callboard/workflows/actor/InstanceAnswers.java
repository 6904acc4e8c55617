package io.callboard.workflows.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.instance.InstanceProgress;
import io.callboard.workflows.instance.InstanceReasons;
import io.callboard.workflows.instance.InstanceTimeline;
import io.callboard.workflows.instance.InstanceViews;
import io.callboard.workflows.instance.RunStatus;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.protocol.InstanceAnswer;
import io.callboard.workflows.protocol.InstanceCommand;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.StepRecord;
import io.callboard.workflows.protocol.StepRunKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers of the actor of one instance to those who look at it. */
final class InstanceAnswers {
  private final Supplier<String> id;
  private final InstanceEnvironment env;
  private final GatePass pass;
  private final Supplier<InstanceData> state;
  private final Supplier<InstanceProgress> progress;

  /**
   * Creates the answers of an instance.
   *
   * @param id its id
   * @param progress its cursor, asked for only if there is an instance
   */
  InstanceAnswers(
      Supplier<String> id,
      InstanceEnvironment env,
      GatePass pass,
      Supplier<InstanceData> state,
      Supplier<InstanceProgress> progress) {
    this.id = id;
    this.env = env;
    this.pass = pass;
    this.state = state;
    this.progress = progress;
  }

  /** Returns the refusal of whatever is asked if there is no instance. */
  InstanceAnswer notFound() {
    return InstanceAnswer.Refused.noInstance(id.get());
  }

  /** Returns the refusal of what is asked of a step that there is not. */
  static InstanceAnswer noStep(String step) {
    return InstanceAnswer.Refused.of(
        Code.NOT_FOUND, "the definition has no step \"%.100s\"".formatted(step));
  }

  private InstanceAnswer ifThere(Supplier<InstanceAnswer> answer) {
    return state.get().spec() == null ? notFound() : answer.get();
  }

  /** Returns the instance. */
  InstanceAnswer is() {
    return ifThere(() -> new InstanceAnswer.Is(InstanceViews.of(progress.get(), this::by)));
  }

  /** Returns its timeline. */
  InstanceAnswer timeline() {
    return ifThere(
        () ->
            new InstanceAnswer.Changes(
                InstanceTimeline.of(
                    InstanceViews.of(progress.get(), this::by), state.get().past())));
  }

  /** Returns why it is where it is. */
  InstanceAnswer why() {
    return ifThere(
        () ->
            new InstanceAnswer.Reasons(
                pass.holds(state.get())
                    ? pass.why(state.get())
                    : InstanceReasons.of(progress.get(), this::status)));
  }

  /** Returns the output of a step, or where it is. */
  InstanceAnswer output(String step) {
    return ifThere(() -> outputOf(step));
  }

  private InstanceAnswer outputOf(String step) {
    if (progress.get().definition().graph().index(step).isEmpty()) {
      return noStep(step);
    }
    StepRecord its = state.get().steps().get(step);
    JsonNode output = its.output();
    return its.state() == StepState.SUCCEEDED
        ? new InstanceAnswer.Output(output, its.blob())
        : InstanceAnswer.Refused.of(
            Code.NOT_FOUND, "the step %s is %s and has no output".formatted(step, its.state()));
  }

  /** Returns whether a run is open, also for an instance that there is not. */
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
