package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstanceMachineTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final StepRetry THREE =
      new StepRetry(3, Duration.ofSeconds(10), Duration.ofSeconds(15));

  private static Workflow line() {
    return Workflow.define("line")
        .step("a", "handler:x", s -> s)
        .step("b", "handler:x", s -> s.after("a"))
        .step("c", "handler:x", s -> s.after("b"));
  }

  @Test
  void aReportEndsAStepAndStartsTheNextInOneTurn() {
    PlayedInstance it = new PlayedInstance(line());
    assertThat(it.requested.keySet()).containsExactly("a");
    int before = it.events.size();
    it.ok("a");
    assertThat(it.events.subList(before, it.events.size()))
        .hasExactlyElementsOfTypes(InstanceEvent.StepEnded.class, InstanceEvent.StepStarted.class);
    it.ok("b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(it.data().reason()).isNull();
    assertThat(it.requested).isEmpty();
  }

  @Test
  void reportsOfOtherRunsChangeNothing() {
    PlayedInstance it = new PlayedInstance(line());
    it.lost("a");
    int before = it.events.size();
    it.done("a", 1, StepOutcome.succeeded(null)); // late: run 2 is open
    it.lost("a", 1);
    it.done("b", 1, StepOutcome.succeeded(null)); // not begun
    it.done("nothing", 1, StepOutcome.succeeded(null));
    assertThat(it.events).hasSize(before);
    it.ok("a");
    it.done("a", 2, StepOutcome.failed("again"));
    assertThat(it.state("a")).isEqualTo(StepState.SUCCEEDED);
  }

  @Test
  void aFailureIsRetriedAfterAPauseAndTheThirdOneIsFinal() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s.retry(THREE))
                .step("b", "handler:x", s -> s.after("a")));
    it.fail("a");
    assertThat(it.state("a")).isEqualTo(StepState.RETRY_WAIT);
    assertThat(it.step("a").dueAt()).isBetween(it.now.plusSeconds(5), it.now.plusSeconds(10));
    assertThat(it.requested).isEmpty();
    it.later(Duration.ofSeconds(1));
    assertThat(it.requested).isEmpty();
    it.restart();
    it.later(Duration.ofSeconds(9));
    assertThat(it.requested.get("a").attempt()).isEqualTo(2);
    assertThat(it.requested.get("a").run()).isEqualTo(2);
    it.fail("a");
    assertThat(it.step("a").dueAt()).isBetween(it.now.plusMillis(7_500), it.now.plusSeconds(15));
    it.later(Duration.ofSeconds(15));
    it.fail("a");
    assertThat(it.state("a")).isEqualTo(StepState.FAILED);
    assertThat(it.state("b")).isEqualTo(StepState.SKIPPED);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason()).isEqualTo("step a failed: no a");
  }

  @Test
  void instancesThatFailTogetherAreNotRetriedTogether() {
    Set<Instant> due = new HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      PlayedInstance it =
          new PlayedInstance(
              Workflow.define("w").step("a", "handler:x", s -> s.retry(THREE)).build(),
              JsonNodeFactory.instance.objectNode(),
              new Random(seed));
      it.fail("a");
      due.add(it.step("a").dueAt());
    }
    assertThat(due).hasSizeGreaterThan(5);
  }

  @Test
  void theTimeOfCreationStaysWhateverHappens() {
    PlayedInstance it = new PlayedInstance(line());
    Instant created = it.now;
    it.later(Duration.ofHours(1));
    it.ok("a");
    it.fail("b");
    it.later(Duration.ofHours(1));
    it.retry();
    it.restart();
    it.ok("b", "c");
    assertThat(InstanceViews.row(it.progress()).createdAt()).isEqualTo(created);
  }

  @Test
  void aFailureForGoodIsNotRetried() {
    PlayedInstance it =
        new PlayedInstance(Workflow.define("w").step("a", "handler:x", s -> s.retry(THREE)));
    it.done("a", StepOutcome.failedForGood("wrong input"));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
  }

  @Test
  void aLostRunIsNoAttemptUntilTooManyAreLost() {
    PlayedInstance it = new PlayedInstance(line());
    for (int run = 1; run <= InstanceMachine.MOST_LOST; run++) {
      assertThat(it.requested.get("a").run()).isEqualTo(run);
      assertThat(it.requested.get("a").attempt()).isEqualTo(1);
      it.lost("a");
    }
    it.lost("a");
    assertThat(it.state("a")).isEqualTo(StepState.FAILED);
    assertThat(it.step("a").reason()).contains("21 runs").contains("its worker died");
  }

  @Test
  void anOutputThatAnOlderNodeDidNotStoreFailsTheStepWithSizeAndName() {
    PlayedInstance it = new PlayedInstance(line());
    it.done("a", StepOutcome.succeeded(JSON.textNode("x".repeat(24 * 1024))));
    assertThat(it.state("a")).isEqualTo(StepState.FAILED);
    assertThat(it.step("a").reason())
        .contains("step a")
        .contains("24,578 bytes")
        .contains("older version");
  }

  private static BlobRef blob(String id, int bytes) {
    return new BlobRef(id + BlobRef.KEPT, bytes, 1, "00000000");
  }

  @Test
  void aLargeOutputIsByReferenceAndTheStepsBehindItSeeWhere() {
    PlayedInstance it = new PlayedInstance(line());
    BlobRef blob = blob("x", 300_000);
    it.done("a", StepOutcome.stored(blob));
    assertThat(it.state("a")).isEqualTo(StepState.SUCCEEDED);
    assertThat(it.step("a").output()).isNull();
    assertThat(it.data().outputBytes()).isZero();
    assertThat(OutputCheck.blobs(it.data())).containsExactly(blob);
    assertThat(it.progress().inputs().of(1, it.data(), false).toString())
        .isEqualTo(
            "{\"input\":{},\"outputs\":{},\"large\":{\"a\":{\"instance\":\"i1\",\"bytes\":300000}}}");
    assertThat(it.progress().inputs().large(1, it.data(), false))
        .containsExactly(Map.entry("a", blob));
    it.restart();
    assertThat(it.step("a").blob()).isEqualTo(blob);
  }

  @Test
  void largeOutputsOverTheLimitOfTheInstanceFailTheStepThatGoesOverIt() {
    Workflow wide = Workflow.define("wide");
    for (int i = 1; i <= 5; i++) {
      wide.step("s" + i, "handler:x", s -> s);
    }
    PlayedInstance it = new PlayedInstance(wide);
    for (int i = 1; i <= 4; i++) {
      it.done("s" + i, StepOutcome.stored(blob("x" + i, 16 << 20)));
    }
    it.done("s5", StepOutcome.stored(blob("x5", 30_000)));
    assertThat(it.state("s4")).isEqualTo(StepState.SUCCEEDED);
    assertThat(it.state("s5")).isEqualTo(StepState.FAILED);
    assertThat(it.step("s5").reason()).contains("s5", "30,000", "67,138,864", "67,108,864");
    assertThat(OutputCheck.blobs(it.data())).hasSize(4);
  }

  @Test
  void aConditionOverALargeOutputFailsItsStepAndNamesTheOther() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s.after("a").when("$.outputs.a.n == 1"))
                .step("c", "handler:x", s -> s.after("a").when("$.input.n == 1")));
    it.done("a", StepOutcome.stored(blob("x", 300_000)));
    assertThat(it.state("b")).isEqualTo(StepState.FAILED);
    assertThat(it.step("b").run()).isZero();
    assertThat(it.step("b").reason())
        .contains("its condition", "step a", "300,000 bytes", "24,576");
    assertThat(it.state("c")).as("it reads the input alone").isEqualTo(StepState.SKIPPED);
  }

  @Test
  void aMergeOfALargeOutputFailsItsStepAndNamesTheOther() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step("c", "handler:x", s -> s.after("a").after("b").merge(MergeRule.TOPO))
                .step("d", "handler:x", s -> s.after("a").after("b")));
    it.done("a", StepOutcome.stored(blob("x", 300_000)));
    it.ok("b");
    assertThat(it.state("c")).isEqualTo(StepState.FAILED);
    assertThat(it.step("c").reason()).contains("its merge", "step a", "300,000 bytes");
    assertThat(it.requested).as("nothing is merged for it").containsOnlyKeys("d");
  }

  @Test
  void anInstanceThatRunsForAStepGivesItsLargeOutputsToBeAdopted() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s.after("a"))
                .step("c", "handler:x", s -> s.after("a")));
    it.done("a", StepOutcome.stored(blob("x", 300_000)));
    BlobRef blob = blob("y", 400_000);
    it.done("b", StepOutcome.stored(blob));
    it.ok("c");
    ParentStep parent = new ParentStep("i0", "p", 2, 1, null, null, null);
    assertThat(ParentReport.of(it.data(), it.progress().inputs(), parent, it.now))
        .isEqualTo(
            new InstanceCommand.Adopt(
                "p",
                2,
                StepOutcome.succeeded(JSON.objectNode().put("c", "c")),
                "i1",
                Map.of("b", blob),
                null,
                it.now));
  }

  @Test
  void anInstanceWhoseFirstRunsAllSucceededHasNoUnknownLargeOutputs() {
    PlayedInstance it = new PlayedInstance(line());
    it.ok("a");
    it.ok("b");
    assertThat(OutputCheck.mayHaveLarge(it.data())).as("step c runs").isTrue();
    it.ok("c");
    assertThat(OutputCheck.mayHaveLarge(it.data())).isFalse();
    assertThat(it.rerun("c")).isEmpty();
    it.lost("c");
    it.ok("c");
    assertThat(OutputCheck.mayHaveLarge(it.data())).as("of the lost run").isTrue();
  }

  @Test
  void aStepThatRunsAgainDropsItsLargeOutput() {
    PlayedInstance it = new PlayedInstance(line());
    it.ok("a");
    it.done("b", StepOutcome.stored(blob("x", 300_000)));
    it.ok("c");
    assertThat(it.rerun("b")).isEmpty();
    assertThat(OutputCheck.blobs(it.data())).isEmpty();
    it.ok("b", "c");
    assertThat(it.progress().inputs().of(2, it.data(), false).has("large")).isFalse();
  }

  @Test
  void outputsOverTheLimitOfTheInstanceFailTheStepThatGoesOverIt() {
    Workflow wide = Workflow.define("wide");
    for (int i = 10; i < 22; i++) {
      wide.step("s" + i, "handler:x", s -> s);
    }
    PlayedInstance it = new PlayedInstance(wide);
    for (int i = 10; i < 22; i++) {
      it.done("s" + i, StepOutcome.succeeded(JSON.textNode("x".repeat(24_000))));
    }
    assertThat(it.state("s19")).isEqualTo(StepState.SUCCEEDED);
    assertThat(it.state("s20")).isEqualTo(StepState.FAILED);
    assertThat(it.step("s20").reason()).contains("s20").contains("262,144");
    assertThat(it.data().outputBytes()).isEqualTo(10 * 24_002);
  }

  @Test
  void aCancelledInstanceStartsOnlyItsFinallySteps() {
    PlayedInstance it =
        new PlayedInstance(
            line().step("d", "handler:x", s -> s.retry(THREE)).last("z", "handler:x", s -> s));
    it.fail("d");
    it.stop(InstanceStop.CANCEL);
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("a");
    assertThat(it.state("d")).isEqualTo(StepState.CANCELLED);
    assertThat(it.state("b")).isEqualTo(StepState.CANCELLED);
    it.restart();
    it.done("a", StepOutcome.failed("it was interrupted"));
    assertThat(it.state("a")).isEqualTo(StepState.CANCELLED);
    assertThat(it.requested.keySet()).containsExactly("z");
    it.ok("z");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason()).isEqualTo("it was cancelled");
  }

  @Test
  void anInstanceOverItsTimeoutFails() {
    PlayedInstance it = new PlayedInstance(line().timeout(Duration.ofMinutes(1)));
    it.stop(InstanceStop.TIMEOUT);
    it.done("a", StepOutcome.cancelled("it was cancelled"));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason()).isEqualTo("it was over its timeout of PT1M");
  }

  @Test
  void aCancellationThatNobodyAskedForIsAFailure() {
    PlayedInstance it = new PlayedInstance(line());
    it.done("a", StepOutcome.cancelled("its job was cancelled"));
    assertThat(it.state("a")).isEqualTo(StepState.FAILED);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
  }

  @Test
  void failFastCancelsOpenRuns() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .failFast(true)
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step("c", "handler:x", s -> s.after("b")));
    it.fail("a");
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("b");
    it.restart();
    assertThat(it.progress().isAborting(1)).isTrue();
    it.lost("b");
    assertThat(it.state("b")).isEqualTo(StepState.CANCELLED);
    assertThat(it.state("c")).isEqualTo(StepState.CANCELLED);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
  }

  @Test
  void aRetryRunsAgainWhatFailedAndWhatFollowsAndKeepsWhatSucceeded() {
    PlayedInstance it = new PlayedInstance(line().last("z", "handler:x", s -> s));
    it.ok("a");
    it.fail("b");
    it.ok("z");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    it.retry();
    assertThat(it.data().state()).isEqualTo(InstanceState.RUNNING);
    assertThat(it.requested.keySet()).containsExactly("b");
    assertThat(it.requested.get("b").run()).isEqualTo(2);
    assertThat(it.requested.get("b").attempt()).isEqualTo(1);
    it.restart();
    it.ok("b", "c", "z");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(it.step("a").run()).isEqualTo(1);
    assertThat(it.step("z").run()).isEqualTo(2);
    assertThat(it.data().outputBytes()).isEqualTo(4 * 3);
  }

  @Test
  void aRerunBeginsWithTheStepAndAllThatFollowIt() {
    PlayedInstance it = new PlayedInstance(line());
    it.ok("a", "b", "c");
    assertThat(it.rerun("b")).isEmpty();
    assertThat(it.requested.keySet()).containsExactly("b");
    assertThat(it.state("c")).isEqualTo(StepState.PENDING);
    it.ok("b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(it.data().round()).isEqualTo(2);
    assertThat(it.step("a").run()).isEqualTo(1);
    assertThat(it.step("c").run()).isEqualTo(2);
  }

  private static Workflow undoable() {
    return Workflow.define("undo")
        .step("a", "handler:x", s -> s.compensate("handler:undo-a").retry(THREE))
        .step("b", "handler:x", s -> s.after("a").compensate("handler:undo-b"))
        .step("c", "handler:x", s -> s.after("b"));
  }

  @Test
  void succeededStepsAreUndoneInReverseOrderAfterAFailure() {
    PlayedInstance it = new PlayedInstance(undoable());
    it.ok("a", "b");
    it.fail("c");
    assertThat(it.data().state()).isEqualTo(InstanceState.RUNNING);
    assertThat(it.requested.keySet()).containsExactly("b");
    assertThat(it.requested.get("b").undo()).isTrue();
    assertThat(it.requested.get("b").run()).isEqualTo(2);
    it.ok("b");
    it.restart();
    assertThat(it.requested.keySet()).containsExactly("a");
    it.fail("a");
    assertThat(it.requested).isEmpty();
    it.later(Duration.ofSeconds(10));
    it.lost("a");
    assertThat(it.requested.get("a").attempt()).isEqualTo(2);
    it.ok("a");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason()).isEqualTo("step c failed: no c");
    assertThat(it.step("a").output()).isNotNull();
    it.retry(); // what was undone is done again
    assertThat(it.requested.keySet()).containsExactly("a");
    it.ok("a", "b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aCompensationThatFailsEndsTheInstanceAndSaysSo() {
    PlayedInstance it = new PlayedInstance(undoable());
    it.ok("a", "b");
    it.fail("c");
    it.fail("b");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason())
        .contains("step c failed: no c")
        .contains("the compensation of step b failed: no b");
    assertThat(it.requested).isEmpty();
  }

  @Test
  void outputsThatCannotBeMergedFailTheStepThatMergesThem() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("w")
                .step("a", "handler:x", s -> s)
                .step("b", "handler:x", s -> s)
                .step("c", "handler:x", s -> s.after("a").after("b").merge(MergeRule.DISJOINT)));
    it.done("a", StepOutcome.succeeded(JSON.objectNode().put("n", 1)));
    it.done("b", StepOutcome.succeeded(JSON.objectNode().put("n", 2)));
    assertThat(it.state("c")).isEqualTo(StepState.FAILED);
    assertThat(it.step("c").reason()).contains("/n").contains("a").contains("b");
    assertThat(it.step("c").run()).isZero();
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
  }

  @Test
  void aStepSeesTheInputTheOutputsBeforeItAndWhatFailed() {
    PlayedInstance it =
        new PlayedInstance(line().step("d", "handler:x", s -> s.after("b", EdgeCondition.FAILURE)));
    it.ok("a");
    it.fail("b");
    assertThat(it.progress().inputs().of(3, it.data(), false).toString())
        .isEqualTo("{\"input\":{},\"outputs\":{\"a\":\"a\"},\"errors\":{\"b\":\"no b\"}}");
    it.ok("d");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void thousandsOfStepsAreStartedInTurnsOfABoundedSize() {
    Workflow wide = Workflow.define("wide");
    for (int i = 0; i < 3_000; i++) {
      wide.step("s" + i, "handler:x", s -> s);
    }
    PlayedInstance it = new PlayedInstance(wide);
    assertThat(it.events).hasSize(1 + InstanceMachine.MOST_EVENTS - 1);
    assertThat(it.more).isTrue();
    it.restart();
    int turns = 0;
    while (it.data().outcome() == null && turns++ < 10_000) {
      if (it.more) {
        it.later(Duration.ZERO);
      }
      assertThat(it.requested.size()).isLessThanOrEqualTo(InstanceMachine.MOST_OPEN);
      if (!it.more) {
        it.ok(it.requested.keySet().iterator().next());
      }
    }
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(it.started.stream().map(OpenRun::id).distinct()).hasSize(3_000);
    assertThat(it.started).hasSize(3_000);
  }

  /** Ten thousand steps in a hundred layers; each sees what all before it returned. */
  @Test
  void aGraphOfTheGreatestSizeIsPlayed() {
    int width = 100;
    Workflow large = Workflow.define("large");
    for (int i = 0; i < 10_000; i++) {
      int step = i;
      large.step(
          "s" + i,
          "handler:x",
          s -> {
            if (step >= width) {
              int layer = (step / width - 1) * width;
              s.after("s" + (layer + step % width)).after("s" + (layer + (step + 1) % width));
            }
            return s;
          });
    }
    PlayedInstance it = new PlayedInstance(large);
    int inputs = 0;
    for (int next = 0; it.data().outcome() == null; next++) {
      OpenRun run = it.requested.get("s" + next);
      if (next % 10 == 0) {
        inputs += it.progress().inputs().of(run.step(), it.data(), false).get("outputs").size();
      }
      it.done("s" + next, StepOutcome.succeeded(JSON.numberNode(next)));
    }
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(inputs).isGreaterThan(1_000_000);
  }
}
