package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Turns that would be over the limits of a commit; {@link PlayedInstance} measures each of them.
 */
class TurnSizeTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WIDE = 400;

  private static PlayedInstance played(Workflow workflow, int input) {
    JsonNode its = JSON.objectNode().put("x", "x".repeat(input));
    return new PlayedInstance(workflow.build(), its, new Random(1));
  }

  private static Workflow wide(Workflow workflow, IntFunction<String> run) {
    for (int i = 0; i < WIDE; i++) {
      workflow.step("s" + i, run.apply(i), s -> s.after("a"));
    }
    return workflow;
  }

  private static void goOn(PlayedInstance it) {
    while (it.more) {
      it.later(Duration.ZERO);
    }
  }

  @Test
  void manySubWorkflowsWithLargeInputsBegin() {
    for (int input : new int[] {200 << 10, 20 << 10}) {
      Workflow fan = Workflow.define("fan").step("a", "handler:x", s -> s);
      PlayedInstance it = played(wide(fan, i -> "subworkflow:child"), input);
      it.ok("a");
      assertThat(it.started).hasSizeLessThan(1 + WIDE);
      it.restart();
      goOn(it);
      assertThat(it.started).hasSize(1 + WIDE);
      it.force("ann");
      it.requested.keySet().stream().toList().forEach(it::fail);
      assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    }
  }

  @Test
  void manyAttemptsOfSubWorkflowsThatAreDueBegin() {
    Workflow due = Workflow.define("due");
    StepRetry later = new StepRetry(3, Duration.ofSeconds(1), Duration.ofSeconds(2));
    for (int i = 0; i < WIDE; i++) {
      due.step("s" + i, "subworkflow:child", s -> s.retry(later));
    }
    PlayedInstance it = played(due, 200 << 10);
    goOn(it);
    it.requested.keySet().stream().toList().forEach(it::fail);
    it.later(Duration.ofMinutes(1));
    for (int turns = 0; it.progress().nextDue() != null && turns < WIDE; turns++) {
      it.later(Duration.ZERO);
    }
    assertThat(it.started).hasSize(2 * WIDE);
  }

  @Test
  void manySubWorkflowsBeginAnewAfterARestoration() {
    Workflow fan = Workflow.define("fan");
    for (int i = 0; i < WIDE; i++) {
      fan.step("s" + i, "subworkflow:child", s -> s);
    }
    PlayedInstance it = played(fan, 200 << 10);
    goOn(it);
    int old = it.requested.get("s399").run();
    it.restore(it.last());
    it.later(Duration.ZERO);
    assertThat(it.more).isTrue();
    it.done("s399", old, StepOutcome.succeeded(null)); // of the life before
    assertThat(it.state("s399")).isEqualTo(StepState.RUNNING);
    goOn(it);
    assertThat(it.started).hasSize(2 * WIDE);
  }

  @Test
  void manyLongReasonsAreCutAndSettled() {
    Workflow merges = Workflow.define("merges").step("a", "handler:x", s -> s);
    merges.step("b", "handler:x", s -> s);
    for (int i = 0; i < 2 * WIDE; i++) {
      merges.step("s" + i, "handler:x", s -> s.after("a").after("b").merge(MergeRule.DISJOINT));
    }
    PlayedInstance it = new PlayedInstance(merges);
    String name = "\u0001".repeat(3_900);
    it.done("a", StepOutcome.succeeded(JSON.objectNode().put(name, 1)));
    it.done("b", StepOutcome.succeeded(JSON.objectNode().put(name, 2)));
    goOn(it);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.step("s7").reason()).hasSizeLessThanOrEqualTo(StepOutcome.MOST_ERROR);
  }

  @Test
  void tenThousandStepsWithLongIdsAreRetried() {
    Workflow many = Workflow.define("many");
    int steps = 10_000;
    String id = "x".repeat(90);
    for (int i = 0; i < steps; i++) {
      int before = i - 1;
      many.step(id + i, "handler:x", s -> before < 0 ? s : s.after(id + 0));
    }
    PlayedInstance it = new PlayedInstance(many);
    it.fail(id + 0);
    goOn(it);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    it.retry();
    InstanceEvent.Reopened event =
        it.events.stream()
            .filter(InstanceEvent.Reopened.class::isInstance)
            .map(InstanceEvent.Reopened.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(event.steps()).isEmpty();
    assertThat(it.data().past().get(0).detail()).startsWith("10,000 steps begin anew");
    it.restart();
    it.ok(id + 0);
    goOn(it);
    assertThat(it.requested).hasSize(InstanceMachine.MOST_OPEN);
    assertThat(it.state(id + 9_999)).isEqualTo(StepState.PENDING);
  }

  @Test
  void aReasonKeepsItsRootCause() {
    String nested = "no disk";
    for (int i = 0; i < 50; i++) {
      nested = "the instance %s is FAILED: step s failed: %s".formatted("i".repeat(36), nested);
    }
    assertThat(StepOutcome.failed(nested).error())
        .startsWith("the instance i")
        .endsWith("no disk")
        .hasSize(StepOutcome.MOST_ERROR);
  }

  @Test
  void errorsThatAStepSeesAreCutTogether() {
    Workflow many = Workflow.define("many");
    for (int i = 0; i < 1_000; i++) {
      many.step("s" + i, "handler:x", s -> s);
    }
    many.last("z", "handler:x", s -> s);
    PlayedInstance it = new PlayedInstance(many);
    goOn(it);
    for (int i = 0; i < 1_000; i++) {
      it.done("s" + i, StepOutcome.failedForGood("x".repeat(1_900) + " no disk"));
    }
    goOn(it);
    int z = it.definition.graph().index("z").orElseThrow();
    JsonNode errors =
        new StepInputs(it.definition, Map.of()).of(z, it.data(), false).path("errors");
    assertThat(errors.size()).isEqualTo(1_000);
    assertThat(errors.path("s7").asText()).endsWith("no disk").hasSize(100);
    assertThat(it.step("s7").reason()).hasSize(1_908);
  }
}
