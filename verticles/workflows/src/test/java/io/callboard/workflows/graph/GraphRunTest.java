package io.callboard.workflows.graph;

import static io.callboard.workflows.graph.EdgeCondition.ANY;
import static io.callboard.workflows.graph.EdgeCondition.FAILURE;
import static io.callboard.workflows.graph.EdgeCondition.OK;
import static io.callboard.workflows.graph.EdgeCondition.SUCCESS;
import static io.callboard.workflows.graph.StepState.CANCELLED;
import static io.callboard.workflows.graph.StepState.FAILED;
import static io.callboard.workflows.graph.StepState.READY;
import static io.callboard.workflows.graph.StepState.RUNNING;
import static io.callboard.workflows.graph.StepState.SKIPPED;
import static io.callboard.workflows.graph.StepState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Progress of single graphs, step by step. */
class GraphRunTest {
  private final Graphs graphs = new Graphs();

  private Map<String, StepState> run(Map<String, StepState> ends) {
    return run(ends, false);
  }

  /** Runs to the end, in the order in which steps get ready; steps without an end succeed. */
  private Map<String, StepState> run(Map<String, StepState> ends, boolean failFast) {
    GraphRun run = graphs.run(failFast);
    List<StepDecision> decisions = run.decisions();
    while (!decisions.isEmpty()) {
      for (StepDecision each : decisions) {
        if (each instanceof StepDecision.Ready ready) {
          String id = run.state(ready.step()) == READY ? graphs.id(ready.step()) : "";
          assertThat(run.put(ready.step(), ends.getOrDefault(id, SUCCEEDED))).isTrue();
        }
      }
      decisions = run.decisions();
    }
    outcome = run.outcome().orElseThrow();
    Map<String, StepState> states = new TreeMap<>();
    for (int step = 0; step < run.states().size(); step++) {
      states.put(graphs.id(step), run.state(step));
    }
    return states;
  }

  private InstanceOutcome outcome = InstanceOutcome.CANCELLED;

  @Test
  void branchesRunAndJoinsWaitForThem() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "a", FAILURE);
    graphs.step("d", Join.ALL, Map.of("b", OK, "c", OK));
    assertThat(run(Map.of("a", FAILED)))
        .isEqualTo(Map.of("a", FAILED, "b", SKIPPED, "c", SUCCEEDED, "d", SUCCEEDED));
    assertThat(outcome).isEqualTo(InstanceOutcome.SUCCEEDED); // the failure was handled
  }

  @Test
  void failureOfTheHandlerFailsTheInstance() {
    graphs.step("a").step("handler", "a", FAILURE);
    assertThat(run(Map.of("a", FAILED, "handler", FAILED))).containsEntry("handler", FAILED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void anEdgeOnAnyEndDoesNotHandleAFailure() {
    graphs.step("a").step("cleanup", "a", ANY);
    assertThat(run(Map.of("a", FAILED))).containsEntry("cleanup", SUCCEEDED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void allowedFailureIsAWarning() {
    graphs.allow("a").step("b", "a", SUCCESS);
    assertThat(run(Map.of("a", FAILED))).containsEntry("b", SKIPPED);
    assertThat(outcome).isEqualTo(InstanceOutcome.SUCCEEDED_WITH_WARNINGS);
  }

  @Test
  void joinAnyIsReadyAtTheFirstSatisfiedEdge() {
    graphs.step("a").step("b").step("c", Join.ANY, Map.of("a", SUCCESS, "b", SUCCESS));
    GraphRun run = graphs.run(false);
    assertThat(graphs.ready(run.decisions())).containsExactlyInAnyOrder("a", "b");
    assertThat(run.put(graphs.index("b"), SUCCEEDED)).isTrue();
    assertThat(run.decisions())
        .containsExactly(new StepDecision.Ready(graphs.index("c"), graphs.position("c", "b")));
    assertThat(run.put(graphs.index("a"), SUCCEEDED)).isTrue();
    assertThat(run.decisions()).isEmpty();
    assertThat(run.put(graphs.index("c"), SUCCEEDED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.SUCCEEDED);
  }

  @Test
  void joinAnyIsSkippedWhenNoEdgeCanBeSatisfied() {
    graphs.step("a").step("b").step("c", Join.ANY, Map.of("a", FAILURE, "b", FAILURE));
    assertThat(run(Map.of())).containsEntry("c", SKIPPED);
  }

  @Test
  void skipNamesItsReason() {
    graphs.step("a").step("b").step("c", Join.ALL, Map.of("a", SUCCESS, "b", SUCCESS));
    GraphRun run = graphs.run(false);
    assertThat(graphs.ready(run.decisions())).hasSize(2);
    assertThat(run.put(graphs.index("b"), FAILED)).isTrue();
    assertThat(run.decisions()).isEmpty(); // decided once, when all are settled
    assertThat(run.put(graphs.index("a"), SUCCEEDED)).isTrue();
    StepDecision.Skip skip = (StepDecision.Skip) run.decisions().get(0);
    assertThat(skip.reason().text(graphs.of("c"), FAILED))
        .isEqualTo("success of b, which is FAILED");
  }

  @Test
  void conditionThatIsFalseSkips() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "b", OK);
    GraphRun run = graphs.run(false, step -> !graphs.id(step).equals("b"));
    assertThat(graphs.ready(run.decisions())).containsExactly("a");
    assertThat(run.put(graphs.index("a"), SUCCEEDED)).isTrue();
    assertThat(run.decisions())
        .contains(new StepDecision.Skip(graphs.index("b"), SkipReason.WHEN, -1))
        .contains(new StepDecision.Ready(graphs.index("c"), -1));
  }

  @Test
  void failFastCancelsTheRestButCleanupsAndFinallySteps() {
    graphs.step("a").step("slow").step("b", "slow", SUCCESS).step("cleanup", "slow", ANY);
    graphs.last("end");
    GraphRun run = graphs.run(true);
    assertThat(graphs.ready(run.decisions())).containsExactlyInAnyOrder("a", "slow");
    assertThat(run.put(graphs.index("slow"), RUNNING)).isTrue();
    assertThat(run.put(graphs.index("a"), FAILED)).isTrue();
    assertThat(run.decisions()).containsExactly(new StepDecision.Abort(graphs.index("slow")));
    assertThat(run.put(graphs.index("slow"), CANCELLED)).isTrue();
    assertThat(run.decisions())
        .containsExactlyInAnyOrder(
            new StepDecision.Drop(graphs.index("b")),
            new StepDecision.Ready(graphs.index("cleanup"), -1));
    assertThat(run.put(graphs.index("cleanup"), SUCCEEDED)).isTrue();
    assertThat(graphs.ready(run.decisions())).containsExactly("end");
    assertThat(run.outcome()).isEmpty();
    assertThat(run.put(graphs.index("end"), SUCCEEDED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.FAILED);
  }

  /** Begins steps a and slow, lets a fail, and returns what follows. */
  private List<StepDecision> failureBeside(GraphRun run) {
    assertThat(graphs.ready(run.decisions())).containsExactlyInAnyOrder("a", "slow");
    assertThat(run.put(graphs.index("slow"), RUNNING)).isTrue();
    assertThat(run.put(graphs.index("a"), FAILED)).isTrue();
    return run.decisions();
  }

  @Test
  void failFastEndsWhenTheOnlyHandlerIsSkipped() {
    graphs.step("a").step("slow").step("handler", "a", FAILURE).step("b", "slow", SUCCESS);
    GraphRun run = graphs.run(true, step -> !graphs.id(step).equals("handler"));
    assertThat(failureBeside(run))
        .containsExactlyInAnyOrder(
            new StepDecision.Skip(graphs.index("handler"), SkipReason.WHEN, -1),
            new StepDecision.Abort(graphs.index("slow")));
    assertThat(run.put(graphs.index("slow"), CANCELLED)).isTrue();
    assertThat(run.decisions()).containsExactly(new StepDecision.Drop(graphs.index("b")));
    assertThat(run.outcome()).contains(InstanceOutcome.FAILED);
  }

  @Test
  void failFastEndsWhenTheLastHandlerFailsThoughItMay() {
    graphs.step("a").step("slow").step("one", "a", FAILURE);
    List<StepEdge> after = List.of(new StepEdge("a", FAILURE));
    graphs.add(new GraphStep("two", after, Join.ALL, true, false));
    GraphRun run = graphs.run(true, step -> !graphs.id(step).equals("one"));
    assertThat(failureBeside(run)) // two may still succeed
        .containsExactlyInAnyOrder(
            new StepDecision.Skip(graphs.index("one"), SkipReason.WHEN, -1),
            new StepDecision.Ready(graphs.index("two"), -1));
    assertThat(run.put(graphs.index("two"), FAILED)).isTrue();
    assertThat(run.decisions()).containsExactly(new StepDecision.Abort(graphs.index("slow")));
    assertThat(run.put(graphs.index("slow"), CANCELLED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.FAILED);
  }

  @Test
  void failFastGoesOnWhenOneHandlerSucceeds() {
    graphs.step("a").step("slow").step("one", "a", FAILURE).step("two", "a", FAILURE);
    GraphRun run = graphs.run(true, step -> !graphs.id(step).equals("two"));
    assertThat(graphs.ready(failureBeside(run))).containsExactly("one");
    assertThat(run.put(graphs.index("one"), SUCCEEDED)).isTrue();
    assertThat(run.decisions()).isEmpty();
    assertThat(run.put(graphs.index("slow"), SUCCEEDED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.SUCCEEDED);
  }

  @Test
  void failFastEndsWhenTheHandlerOfAFailureHadFailedBefore() {
    graphs.step("a").step("slow").step("other");
    List<StepEdge> after = List.of(new StepEdge("a", FAILURE), new StepEdge("other", SUCCESS));
    graphs.add(new GraphStep("handler", after, Join.ANY, true, false));
    GraphRun run = graphs.run(true);
    assertThat(graphs.ready(run.decisions())).contains("a", "slow", "other");
    assertThat(run.put(graphs.index("other"), SUCCEEDED)).isTrue();
    assertThat(graphs.ready(run.decisions())).containsExactly("handler");
    assertThat(run.put(graphs.index("handler"), FAILED)).isTrue();
    assertThat(run.decisions()).isEmpty(); // it may fail, and a has not failed yet
    assertThat(run.put(graphs.index("a"), FAILED)).isTrue();
    assertThat(run.decisions()).containsExactly(new StepDecision.Abort(graphs.index("slow")));
  }

  @Test
  void cancelStartsNothingButFinallySteps() {
    graphs.step("a").step("b", "a", SUCCESS).step("cleanup", "a", ANY).last("end");
    GraphRun run = graphs.run(false);
    assertThat(graphs.ready(run.decisions())).containsExactly("a");
    run.cancel();
    assertThat(run.decisions())
        .containsExactlyInAnyOrder(
            new StepDecision.Abort(graphs.index("a")),
            new StepDecision.Drop(graphs.index("b")),
            new StepDecision.Drop(graphs.index("cleanup")));
    assertThat(run.put(graphs.index("a"), CANCELLED)).isTrue();
    assertThat(graphs.ready(run.decisions())).containsExactly("end");
    assertThat(run.put(graphs.index("end"), SUCCEEDED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.CANCELLED);
  }

  @Test
  void finallyStepsHaveEdgesAmongThemselves() {
    graphs.step("a").last("one").last("two", "one", FAILURE);
    assertThat(run(Map.of("one", FAILED))).containsEntry("two", SUCCEEDED);
    assertThat(outcome).isEqualTo(InstanceOutcome.SUCCEEDED);
    assertThat(run(Map.of("a", FAILED))).containsEntry("one", SUCCEEDED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void aRunThatIsRebuiltFromStatesGoesOn() {
    graphs.step("a").step("b", "a", SUCCESS);
    GraphRun before = graphs.run(false);
    assertThat(graphs.ready(before.decisions())).containsExactly("a");
    GraphRun anew = graphs.run(false);
    assertThat(anew.put(graphs.index("a"), READY)).isTrue();
    assertThat(anew.decisions()).isEmpty(); // it is ready already
    assertThat(anew.put(graphs.index("a"), SUCCEEDED)).isTrue();
    assertThat(graphs.ready(anew.decisions())).containsExactly("b");
  }

  @Test
  void settledStepStaysAsItIs() {
    graphs.step("a");
    GraphRun run = graphs.run(false);
    assertThat(run.put(0, FAILED)).isTrue();
    assertThat(run.put(0, SUCCEEDED)).isFalse();
    assertThat(run.state(0)).isEqualTo(FAILED);
  }

  @Test
  void stepThatAnEarlierVersionLeftCancelledIsNoSuccess() {
    graphs.step("a").step("b").allow("c");
    GraphRun run = graphs.run(false);
    assertThat(run.put(graphs.index("a"), SUCCEEDED)).isTrue();
    assertThat(run.put(graphs.index("b"), CANCELLED)).isTrue();
    assertThat(run.put(graphs.index("c"), FAILED)).isTrue();
    assertThat(run.outcome()).contains(InstanceOutcome.CANCELLED);
  }

  @Test
  void longestWayStartsFirst() {
    graphs.step("short").step("long").step("x", "long", SUCCESS);
    assertThat(graphs.ready(graphs.run(false).decisions())).containsExactly("long", "short");
  }
}
