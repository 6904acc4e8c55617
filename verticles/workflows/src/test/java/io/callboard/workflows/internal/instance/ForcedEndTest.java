package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Cancellations with force, in each state of an instance. */
class ForcedEndTest {
  private static final StepRetry THREE =
      new StepRetry(3, Duration.ofSeconds(10), Duration.ofSeconds(15));

  private static Workflow cleaned() {
    return Workflow.define("cleaned")
        .step("a", "handler:x", s -> s)
        .last("y", "handler:x", s -> s)
        .last("z", "handler:x", s -> s.after("y"));
  }

  private static Workflow undone() {
    return Workflow.define("undone")
        .step("a", "handler:x", s -> s.compensate("handler:undo"))
        .step("b", "handler:x", s -> s.after("a").compensate("handler:undo").retry(THREE))
        .step("c", "handler:x", s -> s.after("b"));
  }

  private static String summary(PlayedInstance it) {
    return InstanceReasons.of(it.progress(), step -> null).summary();
  }

  private static StepState undo(PlayedInstance it, String step) {
    return Objects.requireNonNull(it.step(step).undo()).state();
  }

  @Test
  void aFinallyStepThatHangsIsCancelledAndThoseAfterItDoNotRun() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.stop(InstanceStop.CANCEL);
    assertThat(summary(it)).isEqualTo("it was cancelled and waits for the end of a");
    it.fail("a");
    assertThat(summary(it))
        .isEqualTo(
            "it was cancelled and waits for the end of y; a cancellation with force ends it"
                + " without its finally steps and its compensation");
    it.stop(InstanceStop.CANCEL); // once more: y still runs
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("a");
    it.force("ann");
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("a", "y");
    assertThat(summary(it))
        .isEqualTo(
            "it was cancelled by force of ann and waits for the end of y"
                + " until 2026-01-01T00:01:00Z, then it ends without");
    assertThat(it.step("z").reason()).isEqualTo("ann cancelled the instance by force");
    it.restart();
    assertThat(it.progress().isAborting(it.definition.graph().index("y").orElseThrow())).isTrue();
    it.fail("y");
    assertThat(it.state("y")).isEqualTo(StepState.CANCELLED);
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason())
        .isEqualTo("it was cancelled; by force of ann; finally did not complete: y, z");
    assertThat(it.data().past())
        .filteredOn(change -> change.what().equals("cancelling by force"))
        .extracting(InstanceChange::detail)
        .containsExactly("by ann: finally steps and compensation are cancelled, too");
  }

  @Test
  void aRunningInstanceIsCancelledAndItsFinallyStepsDoNotBegin() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.force("ann");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(it.events)
        .hasAtLeastOneElementOfType(InstanceEvent.Stopped.class)
        .hasAtLeastOneElementOfType(InstanceEvent.Forced.class);
    it.fail("a");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.started).extracting(OpenRun::id).containsExactly("a");
  }

  @Test
  void aForceThatIsRepeatedOrLateChangesNothing() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.force("ann");
    int before = it.events.size();
    it.force("bob");
    it.stop(InstanceStop.TIMEOUT);
    assertThat(it.events).hasSize(before);
    it.fail("a");
    before = it.events.size();
    it.force("bob");
    assertThat(it.events).hasSize(before);
    assertThat(it.data().forcedBy()).isEqualTo("ann");
    it.retry();
    assertThat(it.data().forcedBy()).isNull();
    it.ok("a", "y", "z");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void anInstanceOverItsTimeoutFailsWithoutItsFinallySteps() {
    PlayedInstance it = new PlayedInstance(cleaned().timeout(Duration.ofMinutes(1)));
    it.stop(InstanceStop.TIMEOUT);
    it.fail("a");
    it.force("ann");
    it.ok("y"); // it had ended before it heard that
    assertThat(it.state("y")).isEqualTo(StepState.SUCCEEDED);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason())
        .isEqualTo("it was over its timeout of PT1M; by force of ann; finally did not complete: z");
  }

  @Test
  void aCancellationIsTakenAgainAsLongAsTheInstanceIsThere() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a");
    it.stop(InstanceStop.CANCEL);
    it.fail("b");
    assertThat(it.data().undoing()).as("a is undone now").isNotNull();
    assertThat(ChangeRefusals.ofCancel(it.data(), false)).isEmpty();
    it.ok("a");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ChangeRefusals.ofCancel(it.data(), false)).isEmpty();
    assertThat(ChangeRefusals.ofCancel(it.data(), true)).isEmpty();
  }

  @Test
  void aForceIsTakenAgainWhateverItsOutcome() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a", "b");
    it.fail("c");
    it.force("ann");
    it.fail("b");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(ChangeRefusals.ofCancel(it.data(), true)).isEmpty();
    it.retry();
    it.ok("b", "c");
    assertThat(ChangeRefusals.ofCancel(it.data(), true).orElseThrow())
        .isEqualTo("the instance is SUCCEEDED: it cannot be cancelled");
  }

  @Test
  void anInstanceThatHasFailedByItselfIsNotCancelled() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a", "b");
    it.fail("c");
    it.ok("b", "a");
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    for (boolean force : new boolean[] {false, true}) {
      assertThat(ChangeRefusals.ofCancel(it.data(), force).orElseThrow())
          .isEqualTo("the instance is FAILED: it cannot be cancelled");
    }
  }

  @Test
  void aCompensationThatHangsIsCancelledAndThoseBeforeItDoNotRun() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a", "b");
    it.fail("c");
    assertThat(it.data().state()).isEqualTo(InstanceState.RUNNING);
    assertThat(ChangeRefusals.ofCancel(it.data(), false).orElseThrow())
        .endsWith(
            "a cancellation with force ends it without its finally steps and its compensation");
    assertThat(ChangeRefusals.ofCancel(it.data(), true)).isEmpty();
    assertThat(summary(it)).contains("now b; a cancellation with force ends it");
    it.force("ann");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(ChangeRefusals.ofCancel(it.data(), false)).isEmpty();
    it.restart();
    it.fail("b");
    assertThat(undo(it, "b")).isEqualTo(StepState.CANCELLED);
    assertThat(it.step("a").undo()).isNull();
    assertThat(it.data().state()).as("the outcome to which it led").isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason())
        .isEqualTo("step c failed: no c; by force of ann; not compensated: a, b");
    assertThat(it.data().past())
        .extracting(InstanceChange::what)
        .endsWith("compensation began", "cancelling by force", "compensation cancelled");
    it.restart();
    it.retry();
    it.ok("b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aCompensationThatWaitsForItsNextAttemptIsGivenUpAtOnce() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a", "b");
    it.fail("c");
    it.fail("b");
    assertThat(undo(it, "b")).isEqualTo(StepState.RETRY_WAIT);
    it.force("ann");
    assertThat(undo(it, "b")).isEqualTo(StepState.CANCELLED);
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    it.restore(it.last() - 2); // to the event within that turn
    assertThat(undo(it, "b")).isEqualTo(StepState.RETRY_WAIT);
    it.later(Duration.ofMinutes(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.requested).isEmpty();
  }

  @Test
  void anInstanceThatIsCancelledByForceUndoesNothing() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a");
    it.force("ann");
    it.fail("b");
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason())
        .isEqualTo("it was cancelled; by force of ann; not compensated: a");
    assertThat(it.data().undoing()).isNull();
  }

  @Test
  void aSubWorkflowThatWasAskedToEndIsAskedAgain() {
    PlayedInstance it =
        new PlayedInstance(Workflow.define("outer").step("a", "subworkflow:inner", s -> s));
    it.stop(InstanceStop.CANCEL);
    assertThat(summary(it)).contains("a cancellation with force");
    it.force("ann");
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("a", "a");
    it.done("a", StepOutcome.cancelled("its instance is CANCELLED"));
    assertThat(it.data().reason()).isEqualTo("it was cancelled; by force of ann");
  }

  @Test
  void aRepeatedForceAsksSubWorkflowsAgain() { // a node of an older version did not know the force
    PlayedInstance it =
        new PlayedInstance(Workflow.define("outer").step("a", "subworkflow:inner", s -> s));
    it.force("ann");
    it.restart();
    int before = it.events.size();
    it.force("bob");
    assertThat(it.aborted).extracting(OpenRun::id).containsExactly("a", "a");
    assertThat(it.events).hasSize(before);
    assertThat(it.data().forcedBy()).isEqualTo("ann");
  }

  @Test
  void attemptsThatAreDueDoNotBeginAfterACancellationOfMoreThanATurn() {
    Workflow wide = Workflow.define("wide");
    int steps = InstanceMachine.MOST_EVENTS + 100;
    for (int i = 0; i < steps; i++) {
      wide.step("s" + i, "handler:x", s -> s.retry(THREE));
    }
    PlayedInstance it = new PlayedInstance(wide);
    it.later(Duration.ZERO);
    for (int i = 0; i < steps; i++) {
      it.fail("s" + i);
    }
    it.stop(InstanceStop.CANCEL);
    assertThat(it.more).isTrue();
    it.restart();
    it.later(Duration.ofMinutes(1));
    assertThat(it.started).hasSize(steps);
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
  }

  /** Nothing is heard of it any more: its job is stuck, its report was lost. */
  @Test
  void aRunThatHasNotEndedInAMinuteIsGivenUp() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.later(Duration.ofMinutes(5));
    int run = it.requested.get("a").run();
    it.force("ann");
    it.later(Duration.ofSeconds(59));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLING);
    it.restart();
    assertThat(it.progress().nextDue()).isEqualTo(it.now.plusSeconds(1));
    it.later(Duration.ofSeconds(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason())
        .isEqualTo(
            "it was cancelled; by force of ann; did not end: a; finally did not complete: y, z");
    assertThat(it.step("a").reason())
        .isEqualTo(
            "it was asked to end by force of ann, and had not after PT1M: whether it still runs is"
                + " not known");
    int before = it.events.size();
    it.done("a", run, StepOutcome.succeeded(null));
    assertThat(it.events).as("its report comes after all").hasSize(before);
    it.restart();
    it.retry();
    it.ok("a", "y", "z");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aCompensationThatHasNotEndedIsGivenUp() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a", "b");
    it.fail("c");
    it.force("ann");
    it.later(Duration.ofMinutes(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason())
        .isEqualTo("step c failed: no c; by force of ann; did not end: b; not compensated: a, b");
    assertThat(undo(it, "b")).isEqualTo(StepState.CANCELLED);
  }

  @Test
  void aSubWorkflowHasTimeToGiveUpWhatItRuns() {
    PlayedInstance it =
        new PlayedInstance(
            Workflow.define("outer")
                .step("a", "subworkflow:inner", s -> s)
                .step("b", "handler:x", s -> s));
    it.force("ann");
    it.later(Duration.ofSeconds(159));
    assertThat(it.state("b")).isEqualTo(StepState.CANCELLED);
    assertThat(it.state("a")).isEqualTo(StepState.RUNNING);
    it.later(Duration.ofSeconds(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.step("a").reason()).contains("whether the instance ");
  }

  @Test
  void anInstanceOfWhichEachTurnFailsEndsWithoutItsGraph() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a");
    it.endAtOnce("ann", new IllegalStateException("no disk"));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason())
        .isEqualTo(
            "it was cancelled; by force of ann; it could not go on: no disk; did not end: b;"
                + " not compensated: a");
    assertThat(it.state("b")).isEqualTo(StepState.CANCELLED);
    Instance shown = InstanceViews.of(it.progress(), step -> null);
    assertThat(shown.steps().get("c").state())
        .as("it had not begun")
        .isEqualTo(StepState.CANCELLED);
    assertThat(InstanceViews.row(it.progress()).steps())
        .containsOnly(entry(StepState.SUCCEEDED, 1), entry(StepState.CANCELLED, 2));
    assertThat(it.requested).isEmpty();
    it.retry();
    it.ok("b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
    PlayedInstance undoing = new PlayedInstance(undone());
    undoing.ok("a", "b");
    undoing.fail("c");
    undoing.endAtOnce("ann", new IllegalStateException("no disk"));
    assertThat(undoing.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(undoing.data().reason())
        .isEqualTo(
            "step c failed: no c; by force of ann; it could not go on: no disk; did not end: b;"
                + " not compensated: a, b");
    assertThat(undo(undoing, "b")).isEqualTo(StepState.CANCELLED);
  }

  @Test
  void anInstanceOverItsTimeoutThatCannotGoOnHasFailed() {
    PlayedInstance it = new PlayedInstance(cleaned().timeout(Duration.ofMinutes(1)));
    it.stop(InstanceStop.TIMEOUT);
    it.endAtOnce("ann", new IllegalStateException("no disk"));
    assertThat(it.data().state()).isEqualTo(InstanceState.FAILED);
    assertThat(it.data().reason())
        .isEqualTo(
            "it was over its timeout; by force of ann; it could not go on: no disk; did not end: a;"
                + " finally did not complete: y, z");
  }

  @Test
  void anInstanceWhoseDefinitionCannotBeReadSaysSo() {
    PlayedInstance it = new PlayedInstance(undone());
    it.ok("a");
    it.fail("b"); // and waits for its next attempt
    it.endAtOnce(null, "ann", new IllegalStateException("no definition"));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(it.data().reason())
        .isEqualTo(
            "it was cancelled; by force of ann; it could not go on: no definition;"
                + " finally steps and compensation that were left did not run");
    assertThat(it.step("b").reason())
        .isEqualTo("it was cancelled while it waited for its next attempt");
    assertThat(it.data().past())
        .extracting(InstanceChange::what)
        .contains("cancelling", "cancelling by force");
    it.restart();
    it.retry();
    it.ok("b", "c");
    assertThat(it.data().state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void anInstanceThatAnEarlierVersionHasForcedIsForcedAgain() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.force("ann");
    it.forgetForcedAt();
    it.later(Duration.ofHours(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLING);
    it.force("bob");
    assertThat(it.data().forcedBy()).isEqualTo("bob");
    it.later(Duration.ofMinutes(1));
    assertThat(it.data().state()).isEqualTo(InstanceState.CANCELLED);
  }

  /** It noted who, and not when; one before it noted neither. */
  @Test
  void recordsOfEarlierVersionsLackWhenAndWho() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.force("ann");
    it.forgetForcedAt();
    it.endAtOnce("bob", new IllegalStateException("no disk"));
    assertThat(it.data().forcedBy()).isEqualTo("bob");
    assertThat(it.data().forcedAt()).isEqualTo(it.now);
    assertThat(it.data().reason()).startsWith("it was cancelled; by force of bob; ");
    PlayedInstance before = new PlayedInstance(cleaned());
    before.stop(InstanceStop.CANCEL);
    before.forgetForced();
    assertThat(before.data().forcedBy()).isNull();
    assertThat(before.data().state()).isEqualTo(InstanceState.CANCELLING);
    before.later(Duration.ofHours(1));
    assertThat(before.data().state()).as("nobody forces it").isEqualTo(InstanceState.CANCELLING);
    before.fail("a");
    before.ok("y", "z");
    assertThat(before.data().reason()).isEqualTo("it was cancelled");
  }

  @Test
  void aLongNameIsCut() {
    PlayedInstance it = new PlayedInstance(cleaned());
    it.force("x".repeat(200));
    assertThat(it.data().forcedBy()).hasSize(100).endsWith("…");
    PlayedInstance smiling = new PlayedInstance(cleaned());
    smiling.force("x".repeat(98) + "\uD83D\uDE00".repeat(9));
    assertThat(smiling.data().forcedBy()).as("no half character").isEqualTo("x".repeat(98) + "…");
  }
}
