package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.WorkflowWhy;
import org.junit.jupiter.api.Test;

class InstanceReasonsTest {
  private static WorkflowWhy why(int behind) {
    Workflow workflow = Workflow.define("wide").step("first", "handler:x", s -> s);
    for (int i = 0; i < behind; i++) {
      workflow.step("s" + i, "handler:x", s -> s.after("first"));
    }
    return InstanceReasons.of(new PlayedInstance(workflow).progress(), step -> null);
  }

  @Test
  void stepsBeyondTheLimitAreCounted() {
    WorkflowWhy why = why(WorkflowWhy.MOST_STEPS + 6);
    assertThat(why.steps()).hasSize(WorkflowWhy.MOST_STEPS);
    assertThat(why.steps().keySet()).startsWith("first", "s0");
    assertThat(why.more()).isEqualTo(7);
  }

  @Test
  void noStepsAreCountedIfAllAreExplained() {
    WorkflowWhy why = why(WorkflowWhy.MOST_STEPS - 1);
    assertThat(why.steps()).hasSize(WorkflowWhy.MOST_STEPS);
    assertThat(why.more()).isNull();
  }

  @Test
  void aJobThatIsRefusedIsNamedAlsoWhenItIsToBeCancelled() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("refused")
                .step("a", "process", s -> s.command("true"))
                .step("b", "handler:x", s -> s));
    it.force("ann");
    RunStatus full = new RunStatus(RunStatus.Kind.REFUSED, null, "the queue is full", it.now);
    WorkflowWhy why = InstanceReasons.of(it.progress(), step -> full);
    assertThat(why.steps().get("a").text())
        .isEqualTo(
            "it was asked to end, and has not yet; its job is refused for now: the queue is full");
    assertThat(why.steps().get("b").text())
        .as("whose request is not repeated any more")
        .isEqualTo("it was asked to end, and has not yet");
  }
}
