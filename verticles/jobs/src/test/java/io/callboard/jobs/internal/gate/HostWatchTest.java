package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.RunLook;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom the gate asks, when again, and what follows from an answer and from none. */
class HostWatchTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Instant MOVED = NOW.minusSeconds(60);
  private static final String RUN = "j/1";

  private final GateMachine machine = new GateMachine();
  private final SplittableRandom random = new SplittableRandom(1);
  private GateState state;
  private long nowNs;
  private long number;

  @BeforeEach
  void aRunIsGranted() {
    JobType type = new JobType("process", "process", 10, false, RetryPolicy.ONCE);
    WaitingRun next = new WaitingRun(1, "process", 5, NOW, null, null, 1);
    Handle handle = new Handle(1, "process", "h", "b", NOW, 1, 0, null, null);
    state = new GateState(Map.of("process", type), Map.of("k", next), Map.of("j", handle), 1, 1);
    machine.members(state, List.of("h/b"), List.of(), nowNs);
  }

  private void reports(Map<String, Instant> quiet) {
    HostView report =
        new HostView(
            "h", "b", 0, ++number, 1, Set.of(RUN), null, nowNs, Set.of(), quiet, null, Map.of());
    assertThat(machine.report(state, report)).isTrue();
  }

  private List<GateStep> turn() {
    List<GateStep> steps = new ArrayList<>(machine.questions(state, NOW, nowNs, random));
    List<GateStep> decisions = machine.giveUp(state, NOW, nowNs);
    for (GateStep step : decisions) {
      if (step instanceof GateStep.Silence silence) {
        state = state.apply(silence.event());
      }
    }
    steps.addAll(decisions);
    return steps;
  }

  /** Lets a time pass, second by second. */
  private List<GateStep> passes(int seconds, Map<String, Instant> reported) {
    List<GateStep> steps = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      nowNs += Duration.ofSeconds(1).toNanos();
      if (reported != null && i % 10 == 0) {
        reports(reported);
      }
      steps.addAll(turn());
    }
    return steps;
  }

  private List<GateStep> answers(Map<String, RunLook> runs, List<String> gone) {
    return machine.inspected(state, new GateCommand.Inspected("h", "b", runs, gone), NOW, nowNs);
  }

  private Blocked why() {
    return BlockedReasons.reasons(state, machine, "j", "process", NOW, nowNs).get(0);
  }

  @Test
  void aHostThatReportsInTimeIsNotAsked() {
    assertThat(passes(120, Map.of())).isEmpty();
  }

  @Test
  void aHostThatOwesAReportIsAskedAndItsReportIsTheAnswer() {
    reports(Map.of());
    assertThat(passes(15, null)).isEmpty();
    assertThat(passes(1, null)).containsExactly(new GateStep.Recheck("h"));
    reports(Map.of());
    assertThat(passes(15, null)).as("no silence, and no more questions").isEmpty();
  }

  @Test
  void aHostThatDoesNotAnswerMakesItsRunsSuspectAndIsAskedAFewTimesMore() {
    reports(Map.of());
    List<GateStep> first = passes(36, null);
    assertThat(first).filteredOn(GateStep.Recheck.class::isInstance).hasSizeBetween(3, 5);
    assertThat(first)
        .filteredOn(GateStep.Silence.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Silence.class,
            silence -> {
              assertThat(silence.event().silent()).isTrue();
              assertThat(silence.why())
                  .startsWith("host h does not report: asked ")
                  .endsWith(", last at %s, without an answer".formatted(NOW));
            });
    assertThat(state.handles()).as("its slot stays taken").containsKey("j");
    assertThat(why().kind()).isEqualTo("silent-host");
    assertThat(why().askedAt()).isEqualTo(NOW);
    assertThat(why().answer()).isNull();

    List<GateStep> more = passes(3_600, null);
    assertThat(first.size() - 1 + more.size()).as("questions").isEqualTo(HostQuestions.MOST);
    assertThat(passes(3_600, null)).as("no more until it reports").isEmpty();
    reports(Map.of());
    assertThat(turn())
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Silence.class, silence -> assertThat(silence.event().silent()).isFalse());
    assertThat(passes(16, null)).as("it is asked anew").contains(new GateStep.Recheck("h"));
  }

  @Test
  void theJobLearnsOnceThatARunWithoutProgressIsAlive() {
    reports(Map.of(RUN, MOVED));
    assertThat(turn()).containsExactly(new GateStep.Inspect("h", "b", List.of(RUN)));
    assertThat(why().kind()).isEqualTo("stalled");
    assertThat(why().answer()).as("it is awaited").isNull();

    RunLook alive = new RunLook(3, MOVED, false);
    assertThat(answers(Map.of(RUN, alive), List.of()))
        .containsExactly(new GateStep.Notice("j", new JobCommand.Inspected(1, alive, NOW)));
    assertThat(why().answer()).isEqualTo("alive with 3 processes, last progress at " + MOVED);
    assertThat(answers(Map.of(RUN, alive), List.of())).as("no news").isEmpty();
    assertThat(passes(290, Map.of(RUN, MOVED))).as("answered").isEmpty();
    assertThat(passes(20, Map.of(RUN, MOVED)))
        .as("after five minutes it is asked again")
        .contains(new GateStep.Inspect("h", "b", List.of(RUN)));
    assertThat(state.handles().get("j").isSilent()).isFalse();
  }

  @Test
  void aRunThatTheHostDoesNotHaveIsLost() {
    reports(Map.of(RUN, MOVED));
    assertThat(turn()).hasSize(1);
    assertThat(answers(Map.of(), List.of(RUN)))
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Void.class, gone -> assertThat(gone.event().job()).isEqualTo("j"));
  }

  @Test
  void anAnswerOfAnotherBootOrAboutAnotherRunIsIgnored() {
    reports(Map.of(RUN, MOVED));
    assertThat(turn()).hasSize(1);
    Map<String, RunLook> looks = Map.of(RUN, new RunLook(1, null, false));
    GateCommand.Inspected other = new GateCommand.Inspected("h", "b0", looks, List.of(RUN));
    assertThat(machine.inspected(state, other, NOW, nowNs)).isEmpty();
    assertThat(answers(Map.of("j/2", new RunLook(1, null, false)), List.of("j/2"))).isEmpty();
  }

  @Test
  void aHostThatReportsButDoesNotAnswerMakesTheRunSuspectAndGetsNoFurtherRuns() {
    List<GateStep> steps = passes(50, Map.of(RUN, MOVED));
    assertThat(steps)
        .filteredOn(GateStep.Silence.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Silence.class,
            silence ->
                assertThat(silence.why())
                    .startsWith("host h reports, but does not say how run 1 is: asked "));
    assertThat(why().kind()).isEqualTo("silent-host");
    assertThat(why().detail()).isEqualTo("host h reports run 1, but does not say how it is");
    assertThat(BlockedReasons.reasons(state, machine, "k", "process", NOW, nowNs))
        .extracting(Blocked::kind)
        .containsExactly("silent-host");

    var unused = answers(Map.of(RUN, new RunLook(1, MOVED, false)), List.of());
    assertThat(turn())
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Silence.class, silence -> assertThat(silence.event().silent()).isFalse());
  }

  @Test
  void aRunThatMakesProgressAgainIsNotAskedAboutAnyMore() {
    assertThat(passes(5, Map.of(RUN, MOVED))).isNotEmpty();
    assertThat(passes(120, Map.of())).isEmpty();
  }
}
