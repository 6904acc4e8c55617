package io.callboard.workflows.graph;

import static io.callboard.workflows.graph.EdgeCondition.ANY;
import static io.callboard.workflows.graph.EdgeCondition.FAILURE;
import static io.callboard.workflows.graph.EdgeCondition.SUCCESS;
import static io.callboard.workflows.graph.StepState.FAILED;
import static io.callboard.workflows.graph.StepState.SKIPPED;
import static io.callboard.workflows.graph.StepState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.graph.GraphDefect.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * What earlier engines of this kind do wrongly with a graph; each test is named after the wrong
 * behaviour that it excludes. What they do wrongly elsewhere, in the numbering of §3.5 of the
 * research on jobs and workflows, is excluded by these tests:
 *
 * <table>
 * <caption>Wrong behaviours and their tests</caption>
 * <tr><th>§3.5<th>test
 * <tr><td>1<td>{@link #failedStepBehindASuccessEdgeIsNotReportedAsSuccess}, {@link
 *     #stepThatNeverRanBehindAFailureIsNotReportedAsSuccess}
 * <tr><td>2<td>{@link #joinDoesNotRunOrSkipDependingOnWhichBranchEndsFirst}
 * <tr><td>3<td>{@link #cleanupBehindAStepThatNeverRanIsNotForgotten}, {@link
 *     #joinBehindAStepThatNeverRanIsNotLeftOpenNorReportedAsSuccess}
 * <tr><td>4<td>{@link #cycleOfSuccessEdgesIsNotRunToAnEarlySuccess}, {@link
 *     #longCycleOfAnyEdgesDoesNotOverflowTheStack}, {@link
 *     #limitOfDepthIsNotReachedOnlyAfterTheStackIsFull}
 * <tr><td>5<td>{@link #stepWithTwoEdgesFromTheSameStepIsNotStartedTwice}
 * <tr><td>6<td>{@link #ladderOfDiamondsTakesNeitherExponentialTimeNorText}
 * <tr><td>7<td>{@code StartControlTest}
 * <tr><td>8<td>{@code IntakeMachineTest}, {@code PollerMachineTest}
 * <tr><td>9<td>{@code WorkersCellTest}, {@code WorkflowsTest}, {@code SourcesCellTest}
 * <tr><td>10 to 12<td>{@code WorkerMachineTest}, {@code WorkMachineTest}
 * <tr><td>13<td>{@code IntakeMachineTest}
 * <tr><td>14<td>{@code InstanceMachineTest}, {@code WorkersTest}, {@code SourcesTest}
 * <tr><td>15<td>{@code PollerMachineTest}
 * <tr><td>16<td>{@code SourcesTest}
 * <tr><td>17<td>{@code SourceMergeTest}, {@code WorkersTest}
 * <tr><td>18<td>{@code WorkersTest}, {@code InstanceMachineTest}
 * <tr><td>19<td>{@code WorkerMachineTest}, {@code WorkersTest}
 * <tr><td>20<td>{@code InstanceMachineTest}, {@code NodeTallyTest}
 * <tr><td>21<td>{@code LifeTimersTest}
 * <tr><td>22<td>{@code MistakesIT}, {@code EnvironmentVariablesTest}, {@code RolesTest}
 * <tr><td>23<td>none: nothing of that kind is here
 * </table>
 */
class EarlierEnginesTest {
  private final Graphs graphs = new Graphs();
  private final List<String> started = new ArrayList<>();
  private InstanceOutcome outcome = InstanceOutcome.CANCELLED;

  /** Runs to the end, in the order in which steps get ready; all steps but some succeed. */
  private Map<String, StepState> run(String... failing) {
    GraphRun run = graphs.run(false);
    List<StepDecision> decisions = run.decisions();
    while (!decisions.isEmpty()) {
      for (String id : graphs.ready(decisions)) {
        started.add(id);
        StepState end = List.of(failing).contains(id) ? FAILED : SUCCEEDED;
        assertThat(run.put(graphs.index(id), end)).isTrue();
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

  private List<Code> codes() {
    return graphs.check().defects().stream().map(GraphDefect::code).toList();
  }

  @Test
  void failedStepBehindASuccessEdgeIsNotReportedAsSuccess() {
    graphs.step("a").step("b", "a", SUCCESS);
    assertThat(run("b")).containsEntry("b", FAILED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void stepThatNeverRanBehindAFailureIsNotReportedAsSuccess() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "b", SUCCESS);
    assertThat(run("b")).containsEntry("c", SKIPPED);
    assertThat(started).containsExactly("a", "b");
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void joinDoesNotRunOrSkipDependingOnWhichBranchEndsFirst() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "a", SUCCESS);
    graphs.step("d", Join.ALL, Map.of("b", SUCCESS, "c", SUCCESS));
    for (List<String> order : List.of(List.of("b", "c"), List.of("c", "b"))) {
      GraphRun run = graphs.run(false);
      assertThat(graphs.ready(run.decisions())).containsExactly("a");
      assertThat(run.put(graphs.index("a"), SUCCEEDED)).isTrue();
      assertThat(graphs.ready(run.decisions())).containsExactlyInAnyOrder("b", "c");
      for (String id : order) {
        assertThat(run.put(graphs.index(id), id.equals("b") ? FAILED : SUCCEEDED)).isTrue();
        assertThat(graphs.ready(run.decisions())).isEmpty();
      }
      assertThat(run.state(graphs.index("d"))).isEqualTo(SKIPPED);
      assertThat(run.outcome()).contains(InstanceOutcome.FAILED);
    }
  }

  @Test
  void cleanupBehindAStepThatNeverRanIsNotForgotten() {
    graphs.step("a").step("b", "a", SUCCESS).step("cleanup", "b", ANY);
    assertThat(run("a")).containsEntry("cleanup", SUCCEEDED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void joinBehindAStepThatNeverRanIsNotLeftOpenNorReportedAsSuccess() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "a", ANY);
    graphs.step("d", Join.ALL, Map.of("b", SUCCESS, "c", SUCCESS));
    assertThat(run("a")).containsEntry("d", SKIPPED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void failureOfAnUnhandledStepIsNotHiddenByACleanup() {
    graphs.step("a").step("cleanup", "a", ANY);
    assertThat(run("a")).containsEntry("cleanup", SUCCEEDED);
    assertThat(outcome).isEqualTo(InstanceOutcome.FAILED);
  }

  @Test
  void cycleOfSuccessEdgesIsNotRunToAnEarlySuccess() {
    graphs.step("a").step("c", "b", SUCCESS);
    graphs.step("b", Join.ALL, Map.of("a", SUCCESS, "c", SUCCESS));
    assertThat(codes()).containsExactly(Code.WF001);
  }

  @Test
  void longCycleOfAnyEdgesDoesNotOverflowTheStack() {
    graphs.step("s0", "s9999", ANY);
    for (int i = 1; i < GraphCheck.MOST_STEPS; i++) {
      graphs.step("s" + i, "s" + (i - 1), ANY);
    }
    assertThat(codes()).containsExactly(Code.WF001);
  }

  @Test
  void limitOfDepthIsNotReachedOnlyAfterTheStackIsFull() {
    graphs.step("s0");
    for (int i = 1; i < GraphCheck.MOST_STEPS; i++) {
      graphs.step("s" + i, "s" + (i - 1), ANY);
    }
    assertThat(codes()).containsExactly(Code.WF009);
  }

  @Test
  void stepThatWaitsForNoStepOfTheGraphIsNotIgnoredAndCalledSuccess() {
    graphs.step("a").step("b", "missing", SUCCESS);
    assertThat(codes()).containsExactly(Code.WF002);
  }

  @Test
  void stepBehindACycleIsNotIgnoredAndCalledSuccess() {
    graphs.step("a", "b", SUCCESS).step("b", "a", SUCCESS).step("c", "b", SUCCESS);
    assertThat(codes()).containsExactly(Code.WF001, Code.WF003);
  }

  @Test
  void stepWithTwoEdgesFromTheSameStepIsNotStartedTwice() {
    graphs.step("a");
    graphs.add(
        new GraphStep(
            "b",
            List.of(new StepEdge("a", SUCCESS), new StepEdge("a", ANY)),
            Join.ALL,
            false,
            false));
    assertThat(codes()).containsExactly(Code.WF005);
  }

  @Test
  void stepBehindTwoSatisfiedEdgesIsNotStartedTwice() {
    graphs.step("a").step("b").step("c", Join.ANY, Map.of("a", ANY, "b", ANY));
    run();
    assertThat(started).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void twoStepsOfTheSameNameAreNotStarted() {
    graphs.step("a").step("a");
    assertThat(codes()).containsExactly(Code.WF004);
  }

  @Test
  @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
  void ladderOfDiamondsTakesNeitherExponentialTimeNorText() {
    String before = "s0";
    graphs.step(before);
    for (int i = 1; i <= 300; i++) {
      graphs.step("l" + i, before, SUCCESS).step("r" + i, before, FAILURE);
      graphs.step("s" + i, Join.ANY, Map.of("l" + i, SUCCESS, "r" + i, SUCCESS));
      before = "s" + i;
    }
    assertThat(run()).hasSize(901).containsEntry("s300", SUCCEEDED);
    assertThat(graphs.steps().toString().length()).isLessThan(901 * 250);
  }
}
