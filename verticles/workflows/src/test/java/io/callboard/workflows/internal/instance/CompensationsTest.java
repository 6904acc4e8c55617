package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.StepView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compensations by a process, and what users see of them. */
class CompensationsTest {
  /** The steps were in time: what succeeded is not undone because the end takes long. */
  @Test
  void aTimeoutWhileOnlyFinallyStepsAreLeftDecidesNothing() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("timed")
                .timeout(Duration.ofSeconds(4))
                .step("a", "handler:x", s -> s.compensate("handler:undo"))
                .last("f", "handler:clean", s -> s));
    it.ok("a");
    it.later(Duration.ofSeconds(5));
    it.stop(InstanceStop.TIMEOUT);
    assertThat(it.data().stop()).isNull();
    assertThat(it.requested.keySet()).containsExactly("f");
    it.ok("f");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(it.step("a").undo()).isNull();

    PlayedInstance late =
        new PlayedInstance(
            Workflow.define("timed")
                .step("a", "handler:x", s -> s.compensate("handler:undo"))
                .step("b", "handler:x", s -> s.attempts(2))
                .last("f", "handler:clean", s -> s));
    late.ok("a");
    late.fail("b"); // which waits for its next attempt
    late.stop(InstanceStop.TIMEOUT);
    late.ok("f", "a");
    assertThat(late.data().state()).isEqualTo(InstanceState.FAILED);
  }

  @Test
  void aCompensationWithoutParametersOfItsOwnFailsInsteadOfRunningTheStepAgain() {
    String stored =
        """
        {"name":"old","steps":{
          "a":{"run":"process","with":{"command":["touch","a"]},"compensate":"handler:undo-a"},
          "b":{"run":"process","with":{"command":["touch","b"]},"after":{"a":"success"},"compensate":"process"},
          "c":{"run":"handler:x","after":{"b":"success"}}}}
        """;
    PlayedInstance it =
        new PlayedInstance(
            DefinitionReader.stored(stored).definition().orElseThrow(),
            JsonNodeFactory.instance.objectNode(),
            new Random(1));
    it.ok("a", "b");
    it.fail("c");
    assertThat(it.requested).isEmpty();
    assertThat(it.started).extracting(OpenRun::id).containsExactly("a", "b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(Objects.requireNonNull(it.step("b").undo()).state()).isEqualTo(StepState.FAILED);
    assertThat(it.data().reason())
        .startsWith("step c failed: no c; the compensation of step b failed: a process that undoes")
        .contains("needs a command of its own (with: {compensate: {command:")
        .endsWith("those of the steps before it did not run");
    it.restart();
    it.retry();
    assertThat(it.requested.keySet()).containsExactly("b");
  }

  @Test
  void aStoredProcessThatUndoesAHandlerHasTheParametersOfTheStep() {
    String stored =
        """
        {"name":"old","steps":{
          "a":{"run":"handler:make","with":{"command":["rm","a"]},"compensate":"process"},
          "b":{"run":"handler:x","after":{"a":"success"}}}}
        """;
    PlayedInstance it =
        new PlayedInstance(
            DefinitionReader.stored(stored).definition().orElseThrow(),
            JsonNodeFactory.instance.objectNode(),
            new Random(1));
    it.ok("a");
    it.fail("b");
    assertThat(Objects.requireNonNull(it.step("a").undo()).state()).isEqualTo(StepState.RUNNING);
  }

  @Test
  void aStepThatAJobRunsHasItsIdWhileItRunsAndSoHasWhatUndoesIt() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("jobs")
                .step(
                    "a",
                    "process",
                    s ->
                        s.command("true")
                            .compensate("process", Map.of("command", List.of("false"))))
                .step("b", "handler:x", s -> s.after("a")));
    StepView running = InstanceViews.of(it.progress(), step -> "job-1").steps().get("a");
    assertThat(running.child()).isEqualTo("job-1");
    assertThat(running.worker()).isNull();
    assertThat(InstanceViews.of(it.progress(), step -> null).steps().get("a").child()).isNull();
    it.ok("a");
    StepView handled = InstanceViews.of(it.progress(), step -> "w1").steps().get("b");
    assertThat(handled.worker()).isEqualTo("w1");
    assertThat(handled.child()).isNull();
    it.fail("b");
    StepView undone = InstanceViews.of(it.progress(), step -> "job-2").steps().get("a");
    assertThat(undone.compensation()).isEqualTo(StepState.RUNNING);
    assertThat(undone.child()).isEqualTo("job-2");
  }
}
