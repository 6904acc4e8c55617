package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GateMachineTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private final GateMachine machine = new GateMachine();
  private final Map<String, WaitingRun> waiting = new HashMap<>();
  private final Map<String, GateState.Handle> handles = new HashMap<>();
  private final SplittableRandom random = new SplittableRandom(1);
  private GateState state = GateState.empty();
  private long nowNs;

  private void state() {
    JobType type = new JobType("process", "process", 100_000, false, RetryPolicy.ONCE);
    state = new GateState(Map.of("process", type), waiting, handles, 0, 0);
  }

  private void waits(String job) {
    waiting.put(job, new WaitingRun(1, "process", 5, NOW, null, null, waiting.size()));
  }

  private void granted(String job, int term) {
    handles.put(job, new GateState.Handle(1, "process", "h", "b", NOW, 1, term, null, null));
  }

  private void members(List<String> live, List<String> draining) {
    machine.members(state, live, draining, nowNs);
  }

  private boolean reports(int term, long number, int slots, Set<String> runs) {
    return machine.report(state, new HostView("h", "b", term, number, slots, runs, null, nowNs));
  }

  private void passes(Duration time) {
    nowNs += time.toNanos();
  }

  private List<GateStep> decide() {
    List<GateStep> decisions = new ArrayList<>(machine.giveUp(state, NOW, nowNs));
    follow(decisions);
    List<GateStep> grants = machine.grants(state, NOW, nowNs);
    follow(grants);
    decisions.addAll(grants);
    return decisions;
  }

  private void follow(List<GateStep> decisions) {
    for (GateStep decision : decisions) {
      if (decision instanceof GateStep.Grant grant) {
        state = state.apply(grant.event());
      } else if (decision instanceof GateStep.Void gone) {
        state = state.apply(gone.event());
      } else if (decision instanceof GateStep.Silence silence) {
        state = state.apply(silence.event());
      }
    }
  }

  private List<GateStep> asks() {
    return machine.questions(state, NOW, nowNs, random);
  }

  /** Lets a time pass, second by second, in which nobody answers a question. */
  private List<GateStep> nobodyAnswersFor(Duration time) {
    List<GateStep> questions = new ArrayList<>();
    for (long i = 0; i < time.toSeconds(); i++) {
      passes(Duration.ofSeconds(1));
      questions.addAll(asks());
    }
    return questions;
  }

  @Test
  void aPriorityOutOfRangeFromAnOlderNodeIsTakenAsTheNearest() {
    state();
    for (int priority : new int[] {-3, 0, 5, 9, 99}) {
      String job = "p" + priority;
      state =
          state.apply(
              new GateEvent.Enqueued(
                  job, 1, "process", priority, NOW, null, null, Map.of(), Map.of()));
      WaitingRun its = state.waiting().get(job);
      assertThat(its.priority()).as(job).isEqualTo(Math.min(9, Math.max(0, priority)));
      assertThat(
              WaitingRun.parse(
                  its.line().replace("," + its.priority() + ",", "," + priority + ",")))
          .as("as an older node stored it")
          .isEqualTo(its);
    }
    members(List.of("h/b"), List.of());
    reports(0, 1, 2, Set.of());
    assertThat(decide()).hasSize(2);
    assertThat(state.handles()).containsOnlyKeys("p9", "p99");
    reports(0, 2, 10, Set.of());
    assertThat(decide()).hasSize(3);
    assertThat(state.waiting()).isEmpty();
  }

  @Test
  void aTurnIsBoundedHoweverMuchCanGoAtOnce() {
    for (int i = 0; i < 2_500; i++) {
      waits("j" + i);
    }
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 10_000, Set.of());
    int turns = 0;
    do {
      assertThat(decide()).hasSizeLessThanOrEqualTo(GateMachine.MOST);
      turns++;
    } while (machine.hasMore());
    assertThat(state.handles()).hasSize(2_500);
    assertThat(turns).isEqualTo(13);
  }

  @Test
  void aTurnIsBoundedHoweverMuchIsLostAtOnce() {
    for (int i = 0; i < 2_500; i++) {
      granted("j" + i, 0);
    }
    state();
    members(List.of("other/b"), List.of());
    assertThat(decide()).as("not dead at once").hasOnlyElementsOfType(GateStep.Silence.class);
    passes(GateMachine.DEATH_GRACE);
    do {
      assertThat(decide()).hasSizeLessThanOrEqualTo(GateMachine.MOST);
    } while (machine.hasMore());
    assertThat(state.handles()).isEmpty();
  }

  @Test
  void aDrainingHostGetsNoRunAndAJobSaysSo() {
    waits("j");
    state();
    members(List.of("h/b"), List.of("h"));
    reports(0, 1, 4, Set.of());
    assertThat(decide()).isEmpty();
    assertThat(BlockedReasons.reasons(state, machine, "j", null, NOW, nowNs))
        .extracting(Blocked::kind, Blocked::detail)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("draining", "host h is draining"));
    members(List.of("h/b"), List.of());
    assertThat(decide()).hasSize(1);
  }

  @Test
  void aSilentHostGetsNoRunAndItsJobsSaySo() {
    waits("j");
    granted("k", 0);
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 4, Set.of("k/1"));
    nobodyAnswersFor(GateMachine.SILENCE.plusSeconds(1));
    assertThat(decide()).hasOnlyElementsOfType(GateStep.Silence.class);
    for (String job : List.of("j", "k")) {
      assertThat(BlockedReasons.reasons(state, machine, job, null, NOW, nowNs))
          .extracting(Blocked::detail)
          .containsExactly("host h is not reporting its runs");
    }
  }

  @Test
  void aRunThatIsNotReportedIsLostOnItsHostsWordAlone() {
    granted("j", 0);
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 4, Set.of());
    assertThat(decide()).isEmpty();
    passes(GateMachine.START_GRACE);
    assertThat(decide()).containsExactly(new GateStep.Ask("h", "b", List.of("j/1")));
    passes(Duration.ofDays(1));
    reports(0, 2, 4, Set.of());
    assertThat(decide()).hasOnlyElementsOfType(GateStep.Ask.class);
    assertThat(machine.disowned(state, new GateCommand.Disowned("h", "b0", List.of("j/1"))))
        .as("another boot's word")
        .isEmpty();
    assertThat(machine.disowned(state, new GateCommand.Disowned("h", "b", List.of("j/1"))))
        .hasOnlyElementsOfType(GateStep.Void.class);
  }

  @Test
  void thousandsOfMissingRunsAreAllAskedAboutInTurns() {
    for (int i = 0; i < 2_500; i++) {
      granted("j" + i, 0);
    }
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 10_000, Set.of());
    assertThat(decide()).isEmpty();
    passes(GateMachine.START_GRACE);
    Set<String> asked = new HashSet<>();
    for (int second = 0; second < 15; second++) {
      for (GateStep decision : decide()) {
        List<String> runs = ((GateStep.Ask) decision).runs();
        assertThat(runs).hasSizeLessThanOrEqualTo(GateMachine.MOST);
        asked.addAll(runs);
      }
      passes(Duration.ofSeconds(1));
    }
    assertThat(asked).hasSize(2_500);
  }

  @Test
  void aHostOfALaterTermHasGivenUpWhatWasGrantedBeforeAndAnOlderReportChangesNothing() {
    granted("old", 0);
    granted("new", 1);
    state();
    members(List.of("h/b"), List.of());
    reports(1, 7, 4, Set.of("new/1"));
    reports(0, 6, 4, new HashSet<>(Set.of("old/1")));
    assertThat(decide())
        .singleElement()
        .isEqualTo(
            new GateStep.Void(
                new GateEvent.Released("old", 1), "its host gave up its runs", false));
  }

  @Test
  void aReportOfANonMemberCountsOnceItIsAMember() {
    waits("j");
    state();
    assertThat(reports(0, 1, 4, Set.of())).isFalse();
    assertThat(decide()).isEmpty();
    members(List.of("h/b"), List.of());
    assertThat(decide()).hasSize(1);
  }

  /** The job may have given back the slot before the host knows that the job knows. */
  @Test
  void aRunThatHasEndedOnItsHostIsNoOrphan() {
    state();
    waits("j");
    state();
    members(List.of("h/b"), List.of());
    assertThat(
            machine.report(
                state,
                new HostView(
                    "h",
                    "b",
                    0,
                    1,
                    2,
                    Set.of("j/9", "k/1"),
                    null,
                    nowNs,
                    Set.of("j/9", "k/1"),
                    Map.of(),
                    null,
                    Map.of())))
        .isTrue();
    assertThat(decide()).hasOnlyElementsOfType(GateStep.Grant.class).hasSize(1);
  }

  @Test
  void aJobWhoseLostRunIsAliveGetsNoOtherUntilThatIsKilled() {
    waits("j");
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 4, Set.of("j/9"));
    assertThat(decide()).containsExactly(new GateStep.Recheck("h"));
    assertThat(decide()).as("it gets no run meanwhile").isEmpty();
    reports(0, 2, 4, Set.of("j/9"));
    assertThat(decide()).containsExactly(new GateStep.Kill("h", "b", "j/9"));
    assertThat(decide()).isEmpty();
    reports(0, 3, 4, Set.of("j/9"));
    assertThat(decide()).as("it is being killed").isEmpty();
    passes(GateMachine.ASK_AGAIN);
    reports(0, 4, 4, Set.of("j/9"));
    assertThat(decide()).containsExactly(new GateStep.Kill("h", "b", "j/9"));
    reports(0, 5, 4, Set.of());
    assertThat(decide()).hasOnlyElementsOfType(GateStep.Grant.class);
  }

  @Test
  void aReportThatIsOlderThanTheEndOfARunKillsNothing() {
    granted("j", 0);
    state();
    members(List.of("h/b"), List.of());
    state = state.apply(new GateEvent.Released("j", 1)); // while the report was under way
    reports(0, 1, 4, Set.of("j/1"));
    assertThat(decide()).containsExactly(new GateStep.Recheck("h"));
    reports(0, 2, 4, Set.of());
    assertThat(decide()).isEmpty();
    reports(0, 3, 4, Set.of("j/1"));
    assertThat(decide()).as("not one after the other").containsExactly(new GateStep.Recheck("h"));
    assertThat(machine.report(state, report("b2", 1, "j/1"))).isFalse();
    members(List.of("h/b2"), List.of());
    assertThat(decide()).as("another boot").containsExactly(new GateStep.Recheck("h"));
  }

  private HostView report(String boot, long number, String run) {
    return new HostView("h", boot, 0, number, 4, Set.of(run), null, nowNs);
  }

  @Test
  void theJobOfASilentHostIsNotifiedOnceAndKeepsItsSlot() {
    granted("j", 0);
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 1, Set.of("j/1"));
    assertThat(decide()).isEmpty();

    assertThat(nobodyAnswersFor(GateMachine.SILENCE.plusSeconds(1)))
        .hasSizeGreaterThanOrEqualTo(HostQuestions.ENOUGH)
        .containsOnly(new GateStep.Recheck("h"));
    assertThat(decide())
        .singleElement()
        .isInstanceOfSatisfying(
            GateStep.Silence.class,
            silence -> assertThat(silence.why()).startsWith("host h does not report: asked "));
    assertThat(decide()).isEmpty();
    assertThat(state.handles()).containsKey("j");

    reports(0, 2, 1, Set.of("j/1"));
    assertThat(decide()).singleElement().isEqualTo(silence(false, "its host reports it again"));
    assertThat(decide()).isEmpty();
  }

  @Test
  void aHostThatIsNoMemberIsSilentAtOnceAndDeadLater() {
    granted("j", 0);
    state();
    members(List.of("h/b"), List.of());
    reports(0, 1, 1, Set.of("j/1"));
    members(List.of("other/b"), List.of());
    assertThat(asks()).as("whether it is dead is known soon").isEmpty();
    assertThat(decide())
        .singleElement()
        .isEqualTo(silence(true, "host h is no member of the cell any more"));

    passes(GateMachine.DEATH_GRACE);
    assertThat(decide()).singleElement().isInstanceOf(GateStep.Void.class);
    assertThat(decide()).isEmpty();
  }

  @Test
  void aGateThatHasJustStartedTakesNoHostForSilent() {
    granted("j", 0);
    state();
    members(List.of("h/b"), List.of());
    assertThat(decide()).isEmpty();
    nobodyAnswersFor(GateMachine.SILENCE);
    assertThat(decide()).isEmpty();
    passes(Duration.ofSeconds(1));
    assertThat(decide()).singleElement().isInstanceOf(GateStep.Silence.class);
  }

  private static GateStep.Silence silence(boolean silent, String why) {
    return new GateStep.Silence(new GateEvent.Silenced("j", 1, silent), why);
  }
}
