package io.callboard.jobs.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.model.JobState;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table, for every pair of a state and a trigger, with all facts. */
class JobTransitionTest {
  private static final Set<JobState> LIVE =
      EnumSet.of(
          JobState.ADMITTED,
          JobState.RUNNING,
          JobState.STALLED,
          JobState.SUSPECT,
          JobState.CANCELLING);

  private static final Set<JobTrigger> ENDS_OF_RUNS =
      EnumSet.of(JobTrigger.ENDED, JobTrigger.NOT_STARTED, JobTrigger.LOST);

  /** Returns every combination of facts. */
  private static Stream<JobFacts> facts() {
    return IntStream.range(0, 1 << 11)
        .mapToObj(
            bits ->
                new JobFacts(
                    (bits & 1) != 0,
                    (bits & 2) != 0,
                    (bits & 4) != 0,
                    (bits & 8) != 0,
                    (bits & 16) != 0,
                    (bits & 32) != 0,
                    (bits & 64) != 0,
                    (bits & 128) != 0,
                    (bits & 256) != 0,
                    (bits & 512) != 0,
                    (bits & 1024) != 0));
  }

  /** Returns the states to which a pair leads, by any facts. */
  private static Set<JobState> targets(JobState state, JobTrigger trigger) {
    Set<JobState> targets = EnumSet.noneOf(JobState.class);
    facts()
        .map(facts -> JobTransition.of(state, trigger, facts).to())
        .filter(Objects::nonNull)
        .forEach(targets::add);
    return targets;
  }

  @ParameterizedTest
  @EnumSource
  void everyTriggerHasARowInEveryState(JobTrigger trigger) {
    for (JobState state : JobState.values()) {
      facts().forEach(facts -> assertThat(JobTransition.of(state, trigger, facts)).isNotNull());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRowIsTakenSomewhere(JobTransition rule) {
    Stream<JobState> states =
        Stream.concat(Stream.of((JobState) null), Stream.of(JobState.values())).filter(rule::fits);
    assertThat(
            states.anyMatch(
                state ->
                    facts()
                        .anyMatch(facts -> JobTransition.of(state, rule.trigger(), facts) == rule)))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAboutAnotherRunChangesNoStateAndIsKept(JobTrigger trigger) {
    boolean aboutRun =
        ENDS_OF_RUNS.contains(trigger)
            || EnumSet.range(JobTrigger.GRANTED, JobTrigger.KILL_FAILED).contains(trigger)
            || trigger == JobTrigger.EXPIRED;
    if (aboutRun) {
      for (JobState state : JobState.values()) {
        facts()
            .filter(facts -> !facts.current())
            .map(facts -> JobTransition.of(state, trigger, facts))
            .forEach(
                rule -> {
                  assertThat(rule.to()).as("%s in %s", rule, state).isNull();
                  assertThat(rule.has(JobEffect.NOTE)).as("%s in %s", rule, state).isTrue();
                });
      }
    }
  }

  @Test
  void aRunThatMayBeAliveIsLeftOnlyByTheReportOfItsEnd() {
    for (JobState state : LIVE) {
      for (JobTrigger trigger : JobTrigger.values()) {
        if (!ENDS_OF_RUNS.contains(trigger)) {
          assertThat(LIVE).as("%s in %s", trigger, state).containsAll(targets(state, trigger));
        }
      }
    }
  }

  /** All but one: that a run was not started whose start is known is no end. */
  @Test
  void aSlotIsGivenBackWithEachEndOfARun() {
    for (JobState state : JobState.values()) {
      for (JobTrigger trigger : ENDS_OF_RUNS) {
        facts()
            .forEach(
                facts -> {
                  boolean lives = LIVE.contains(state) && facts.current() && facts.started();
                  assertThat(JobTransition.of(state, trigger, facts).has(JobEffect.GIVE_BACK))
                      .as("%s in %s", trigger, state)
                      .isEqualTo(trigger != JobTrigger.NOT_STARTED || !lives);
                });
      }
    }
  }

  @Test
  void onlyAnOperatorWakesAJobThatHasEnded() {
    for (JobState state : JobState.values()) {
      for (JobTrigger trigger : JobTrigger.values()) {
        if (state.terminal() && trigger != JobTrigger.RERUN) {
          assertThat(targets(state, trigger)).as("%s in %s", trigger, state).isEmpty();
        }
      }
    }
    assertThat(targets(JobState.DEAD, JobTrigger.RERUN)).containsExactly(JobState.QUEUED);
  }

  @Test
  void theGateHasAJobExactlyInItsQueue() {
    for (JobTransition rule : JobTransition.values()) {
      if (rule.to() != null) {
        assertThat(rule.has(JobEffect.ENQUEUE)).as(rule.name()).isEqualTo(rule.to().inQueue());
      }
    }
  }

  @Test
  void noRowLeadsToTheStateThatTheDocumentsCallReserved() {
    assertThat(JobTransition.values())
        .extracting(JobTransition::to)
        .as("if jobs can wait for others, JobState, the guide and the printed table say so")
        .doesNotContain(JobState.BLOCKED);
  }

  @Test
  void withoutAJobOnlyASubmissionHasARow() {
    JobFacts facts = facts().findFirst().orElseThrow();
    assertThat(JobTransition.of(null, JobTrigger.SUBMITTED, facts)).isEqualTo(JobTransition.SUBMIT);
    assertThatThrownBy(() -> JobTransition.of(null, JobTrigger.ENDED, facts))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void silenceIsAStateAndFreesNothing() {
    for (JobState state : JobState.values()) {
      facts()
          .map(facts -> JobTransition.of(state, JobTrigger.SILENT, facts))
          .forEach(rule -> assertThat(rule.has(JobEffect.GIVE_BACK)).isFalse());
    }
    assertThat(targets(JobState.RUNNING, JobTrigger.SILENT)).containsExactly(JobState.SUSPECT);
    assertThat(targets(JobState.SUSPECT, JobTrigger.HEARD))
        .containsExactlyInAnyOrder(JobState.RUNNING, JobState.ADMITTED, JobState.STALLED);
  }
}
