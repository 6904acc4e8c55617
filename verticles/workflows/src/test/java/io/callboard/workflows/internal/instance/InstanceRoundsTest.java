package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.BlobRef;
import io.callboard.testkit.internal.world.Worlds;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.InstanceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rounds of an instance that is cancelled, retried and run again from steps; {@code
 * -Dcallboard.rehearsal.seed=17} plays that world of {@link InstanceRounds} alone.
 */
class InstanceRoundsTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WORLDS = 1_500;

  private int retried;
  private int rerun;
  private int refused;

  private void play(long seed) {
    InstanceRounds world = new InstanceRounds(seed);
    world.play();
    retried += world.retried;
    rerun += world.rerun;
    refused += world.refused;
  }

  @Test
  void eachRoundIsThatOfTheRuleAndAStepSeesTheSameInputInEachLife() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      assertThat(retried).as("retries").isGreaterThan(WORLDS);
      assertThat(rerun).as("reruns").isGreaterThan(WORLDS);
      assertThat(refused).as("reruns that were refused").isGreaterThan(WORLDS / 50);
    }
  }

  @Test
  @Tag("nightly")
  void eachRoundIsThatOfTheRuleInManyWorlds() {
    assertThat(Worlds.playMany(100_000, this::play)).isPositive();
    assertThat(refused).isPositive();
  }

  @Test
  void aRetryRepeatsTheStepsAfterOneThatWasUndone() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("order")
                .step("reserve", "handler:x", s -> s.compensate("handler:undo"))
                .step("charge", "handler:x", s -> s.after("reserve"))
                .step("ship", "handler:x", s -> s.after("charge")));
    it.ok("reserve", "charge");
    it.fail("ship");
    it.ok("reserve"); // undone
    it.retry();
    assertThat(it.requested).containsOnlyKeys("reserve");
    it.restart();
    it.fail("reserve");
    assertThat(it.state("charge")).isEqualTo(StepState.SKIPPED);
    assertThat(it.state("ship")).isEqualTo(StepState.SKIPPED);
    it.retry();
    it.ok("reserve", "charge", "ship");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aRetryRepeatsSucceededStepsAfterOneThatFailed() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("z", "handler:x", s -> s.after("a", EdgeCondition.ANY))
                .step("y", "handler:x", s -> s.after("z")));
    it.fail("a");
    it.ok("z");
    it.fail("y");
    it.retry();
    assertThat(it.requested).containsOnlyKeys("a");
    it.ok("a", "z");
    assertThat(it.input(it.requested.get("y")).at("/outputs/a")).isEqualTo(JSON.textNode("a"));
  }

  @Test
  void aRetryKeepsStepsThatBeganWithoutTheFailedOne() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step("first", "handler:x", s -> s.after("a").after("b").joinAny()));
    it.ok("a", "first");
    it.fail("b");
    it.retry();
    assertThat(it.requested).containsOnlyKeys("b");
    assertThat(it.state("first")).isEqualTo(StepState.SUCCEEDED);
  }

  private static Workflow failFast() {
    return Workflow.define("w")
        .failFast(true)
        .step("a", "handler:x", s -> s)
        .step("b", "handler:x", s -> s)
        .step("c", "handler:x", s -> s.after("b"));
  }

  @Test
  void aRerunRunsWhatAFailureHadCancelled() {
    PlayedInstance it = new PlayedInstance(failFast());
    it.fail("a");
    it.done("b", StepOutcome.cancelled("it was cancelled"));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.rerun("a")).isEmpty();
    assertThat(it.requested).containsOnlyKeys("a", "b");
    it.ok("a", "b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aRerunRunsWhatAUserHadCancelled() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("x", "handler:x", s -> s)
                .step("y", "handler:x", s -> s.after("x")));
    it.ok("a");
    it.stop(InstanceStop.CANCEL);
    it.done("x", StepOutcome.cancelled("it was cancelled"));
    assertThat(it.rerun("a")).isEmpty();
    assertThat(it.requested).containsOnlyKeys("a", "x");
    it.ok("a", "x", "y");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aRerunThatAFailureWouldEndAtOnceIsRefusedAndChangesNothing() {
    PlayedInstance it = new PlayedInstance(failFast());
    it.ok("b");
    it.fail("a");
    it.done("c", StepOutcome.cancelled("it was cancelled"));
    assertThat(it.rerun("b").orElseThrow()).contains("step a has failed", "failFast", "retry");
    assertThat(it.step("b").output()).isEqualTo(JSON.textNode("b"));
    it.retry();
    it.ok("a", "c");
    assertThat(it.rerun("b")).isEmpty();
    assertThat(it.requested).containsOnlyKeys("b");
  }

  private static void seesTheSame(PlayedInstance it, String step, String ends) {
    OpenRun run = it.requested.get(step);
    JsonNode before = it.input(run);
    it.ok(ends);
    it.restart();
    assertThat(it.requested).containsEntry(step, run);
    assertThat(it.input(run)).isEqualTo(before);
  }

  @Test
  void aCleanupBehindAStepThatAFailureCancelledBeginsWhenAllBeforeHasEnded() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .failFast(true)
                .step("a", "handler:x", s -> s)
                .step("slow", "handler:x", s -> s)
                .step("behind", "handler:x", s -> s.after("slow"))
                .step("cleanup", "handler:x", s -> s.after("behind", EdgeCondition.ANY)));
    it.fail("a");
    assertThat(it.requested).containsOnlyKeys("slow");
    it.restart();
    it.ok("slow"); // it had done its work before it heard
    assertThat(it.state("behind")).isEqualTo(StepState.CANCELLED);
    assertThat(it.input(it.requested.get("cleanup")).at("/outputs/slow"))
        .isEqualTo(JSON.textNode("slow"));
  }

  @Test
  void aStepBehindAJoinThatItsConditionSkippedSeesWhatThatHadWaitedForAlone() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step(
                    "j", "handler:x", s -> s.after("a").after("b").joinAny().when("$.input.n == 1"))
                .step("k", "handler:x", s -> s.after("j", EdgeCondition.OK)));
    it.ok("a");
    assertThat(it.state("j")).isEqualTo(StepState.SKIPPED);
    assertThat(it.input(it.requested.get("k")).at("/outputs/a")).isEqualTo(JSON.textNode("a"));
    seesTheSame(it, "k", "b");
  }

  @Test
  void aStepBehindAJoinThatCouldNotBeginSeesWhatThatHadWaitedForAlone() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step(
                    "j", "handler:x", s -> s.after("a").after("b").joinAny().merge(MergeRule.TOPO))
                .step("k", "handler:x", s -> s.after("j", EdgeCondition.FAILURE)));
    it.done("a", StepOutcome.stored(new BlobRef("x" + BlobRef.KEPT, 300_000, 1, "00000000")));
    assertThat(it.state("j")).isEqualTo(StepState.FAILED);
    assertThat(it.input(it.requested.get("k")).at("/large/a")).isNotEmpty();
    seesTheSame(it, "k", "b");
  }
}
