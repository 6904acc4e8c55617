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
 * research on jobs and workflows, is excluded by the tests of this table. Those of rehearsals play
 * the wrong behaviour on purpose, as the flaw that is named, and are green only if a rule breaks.
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
 * <tr><td>7<td>{@code StartControlTest.messagesOfOneDefinitionDoNotWaitForEachOther}, {@code
 *     StartControlTest.aMessageIsOneInstanceHoweverOftenItIsRepeated}; {@code
 *     IntakeRehearsalTest.eachFlawIsCaught}: {@code TAKES_TWICE}, an intake that takes a repeated
 *     message again
 * <tr><td>8<td>{@code PollerMachineTest.twoDeliveriesOfAMessageEndWithOneEnd}, {@code
 *     IntakeMachineTest.aMessageThatComesAgainNeitherStartsAgainNorLosesItsReceipt}
 * <tr><td>9<td>{@code WorkflowsTest.anInstanceGoesOnWhereItWasOnAnotherNode}, {@code
 *     WorkersCellTest.stepsOfANodeThatIsGoneAreLostAndRunElsewhere}, {@code
 *     WorkersCellTest.theDeskMovesAndWhatRunsElsewhereGoesOn}, {@code
 *     SourcesCellTest.aNodeThatGoesLosesNothingAndNothingStartsTwice}; {@code
 *     WorkRehearsalTest.eachFlawIsCaught}: {@code ASSIGNS_BEFORE_HELLOS}, a new desk that assigns
 *     before the workers have said what they run
 * <tr><td>10<td>{@code WorkerMachineTest.aResultIsReportedUntilItsInstanceKnowsIt}, {@code
 *     WorkMachineTest.aReportThatFailsIsRepeated}; {@code WorkflowsRehearsalTest.eachFlawIsCaught}:
 *     {@code LOSES_REPORTS}, a report that is lost although its worker takes it for durable
 * <tr><td>11<td>{@code
 *     WorkMachineTest.aSlotWhoseRunTheWorkerDoesNotNameAnyMoreIsNotTakenForEver}; {@code
 *     WorkRehearsalTest.eachFlawIsCaught}: {@code COUNTED_CREDIT}, a desk that counts credit up and
 *     down with the messages; {@code WorkflowsRehearsalTest.eachFlawIsCaught}: {@code
 *     FORGETS_SLOTS}, a worker that does not say that a slot is free
 * <tr><td>12<td>{@code WorkMachineTest.aRunIsOfferedToOneWorkerAlone}, {@code
 *     WorkMachineTest.noWorkerIsAskedToRegisterWhenMembersComeAndGo}; {@code
 *     WorkRehearsalTest.eachFlawIsCaught}: {@code ENROLLS_WITH_EACH_HELLO}, a desk that asks the
 *     registry with each report of a worker
 * <tr><td>13<td>{@code IntakeMachineTest.aChainEndsAtItsLimitAndSaysSo}, {@code
 *     IntakeMachineTest.theNextInstanceStartsAfterItsDelayAndNotAtOnce}; {@code
 *     IntakeRehearsalTest.eachFlawIsCaught}: {@code SETTLES_AGAIN}, an intake that settles a message
 *     with each end of an instance
 * <tr><td>14<td>{@code InstanceMachineTest.aFailureIsRetriedAfterAPauseAndTheThirdOneIsFinal},
 *     {@code WorkersTest.aFailureIsReportedWithItsCause}, {@code
 *     SourcesTest.aFailureIsTriedAgainAndThenSetAside}
 * <tr><td>15<td>{@code PollerMachineTest.eachThirdOfTheLeaseItIsExtendedAlsoWhatWaits}, {@code
 *     PollerMachineTest.creditThatIsUsedUpStopsThePollingAndComesBack}, {@code
 *     SourcesPollingTest.aMessageThatRunsLongerThanItsLeaseIsNotDeliveredAgain}; {@code
 *     PollerRehearsalTest.eachFlawIsCaught}: {@code FORGETS_WHAT_WAITS}, a poller that does not
 *     extend the lease of what waits
 * <tr><td>16<td>{@code LateCallsTest.anotherThreadCallsNothing} (with {@code become}, {@code
 *     persist} and all that a turn may call), {@code
 *     SettingAsideTest.aMessageThatCannotBeSetAsideNeitherHoldsOthersNorFailsPolls}, {@code
 *     SourcesTest.aMessageThatCannotBeReadIsSetAsideAtOnce}
 * <tr><td>17<td>{@code SourceMergeTest.stepThatEndsLastDoesNotOverwriteTheOthers}, {@code
 *     WorkersTest.anOutputThatAHandlerMayNotReturnEndsItsStepAndFreesItsSlot}, {@code
 *     WorkersTest.aStepOverItsTimeoutIsToldSoAndEndsAsTimeout}
 * <tr><td>18<td>{@code WorkersTest.aWorkerThatRestartsLosesItsRunsAndTakesOthers}, {@code
 *     InstanceMachineTest.instancesThatFailTogetherAreNotRetriedTogether}
 * <tr><td>19<td>{@code WorkerMachineTest.aRunOfAnUnknownHandlerIsGivenBackAndTakesNoSlot}, {@code
 *     WorkersTest.slotsAreNotExceededAndWhatWaitsSaysWhy}
 * <tr><td>20<td>{@code InstanceMachineTest.theTimeOfCreationStaysWhateverHappens}, {@code
 *     NodeTallyTest.throughputIsOfTheLastMinutesAndDurationsAreOfEachInstance}
 * <tr><td>21<td>{@code LifeTimersTest.aRestartedActorTicksAtTheRateOfOne}
 * <tr><td>22<td>{@code MistakesIT.aMistakeIsToldInOneLine}, {@code
 *     EnvironmentVariablesTest.aMisspeltVariableIsRefused}, {@code
 *     RolesTest.aRoleHasOneHolderAndAStandbyAndNewcomersDoNotPreempt}; {@code
 *     WorkRehearsalTest.eachFlawIsCaught}: {@code OBEYS_OLD_DESKS}, a worker that obeys a desk that
 *     was replaced
 * <tr><td>23<td>all of these; of what documents say: {@code
 *     DocsTest.theDefinitionsOfTheGuideToWorkflowsAreValid}, {@code
 *     ReferenceDocsTest.generatedPagesAreThoseOfTheProgram}
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
  @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
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
