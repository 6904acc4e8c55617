package io.callboard.jobs.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
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

  /** Those in which the gate has the job. */
  private static final Set<JobState> QUEUED =
      EnumSet.of(JobState.SCHEDULED, JobState.QUEUED, JobState.RETRY_WAIT);

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

  /** What each pair leads to, said once more. */
  private static Set<JobState> expected(JobState state, JobTrigger trigger) {
    if (LIVE.contains(state)) {
      return expectedOfRun(state, trigger);
    }
    boolean queued = QUEUED.contains(state);
    boolean waits = queued || state == JobState.BLOCKED || state == JobState.HELD;
    return switch (trigger) {
      case GRANTED -> queued ? Set.of(JobState.ADMITTED) : Set.of();
      case EXPIRED -> queued ? Set.of(JobState.EXPIRED) : Set.of();
      case UNREADABLE -> queued ? Set.of(JobState.DEAD) : Set.of();
      case TOTAL_ELAPSED -> waits ? Set.of(JobState.DEAD, JobState.EXPIRED) : Set.of();
      case CANCEL -> waits ? Set.of(JobState.CANCELLED) : Set.of();
      case HOLD -> waits && state != JobState.HELD ? Set.of(JobState.HELD) : Set.of();
      case RELEASE -> state == JobState.HELD ? QUEUED : Set.of();
      case RERUN -> state.terminal() ? Set.of(JobState.QUEUED) : Set.of();
      default -> Set.of();
    };
  }

  private static Set<JobState> expectedOfRun(JobState state, JobTrigger trigger) {
    boolean cancelling = state == JobState.CANCELLING;
    boolean begun = state == JobState.ADMITTED || state == JobState.RUNNING;
    return switch (trigger) {
      case STARTED -> state == JobState.ADMITTED ? Set.of(JobState.RUNNING) : Set.of();
      case SILENT -> begun || state == JobState.STALLED ? Set.of(JobState.SUSPECT) : Set.of();
      case HEARD ->
          state == JobState.SUSPECT
              ? Set.of(JobState.ADMITTED, JobState.RUNNING, JobState.STALLED)
              : Set.of();
      case STALLED -> begun ? Set.of(JobState.STALLED) : Set.of();
      case PROGRESSED -> state == JobState.STALLED ? Set.of(JobState.RUNNING) : Set.of();
      case ENDED ->
          cancelling
              ? Set.of(JobState.SUCCEEDED, JobState.CANCELLED)
              : Set.of(JobState.SUCCEEDED, JobState.RETRY_WAIT, JobState.DEAD);
      case NOT_STARTED ->
          cancelling ? Set.of(JobState.CANCELLED) : Set.of(JobState.QUEUED, JobState.DEAD);
      case LOST ->
          cancelling
              ? Set.of(JobState.CANCELLED)
              : Set.of(JobState.QUEUED, JobState.RETRY_WAIT, JobState.HELD, JobState.DEAD);
      case CANCEL -> cancelling ? Set.of() : Set.of(JobState.CANCELLING);
      default -> Set.of();
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyPairLeadsWhereItShould(JobTrigger trigger) {
    for (JobState state : JobState.values()) {
      assertThat(targets(state, trigger))
          .as("%s in %s", trigger, state)
          .isEqualTo(expected(state, trigger));
    }
  }

  @Test
  void aDecisionIsRefusedThatLeadsElsewhereThanItsRow() {
    JobMachine machine = new JobMachine(new Random(1));
    JobSpec spec = JobSpec.process("process", List.of("true"));
    JobData job = machine.submitted(new JobCommand.Submit("j", spec, Instant.EPOCH), Instant.EPOCH);
    JobData cancelled = job.to(JobState.CANCELLED, Instant.EPOCH, "cancelled");
    assertThat(new JobDecision(JobTransition.CANCEL_WAITING, job, cancelled).now())
        .isEqualTo(cancelled);
    assertThatThrownBy(() -> new JobDecision(JobTransition.EXPIRE, job, cancelled))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("row EXPIRE leads job j from QUEUED to EXPIRED, not to CANCELLED");
    assertThatThrownBy(() -> new JobDecision(JobTransition.EXPIRE, job, null))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new JobDecision(JobTransition.EXPIRE_SEEN, job, cancelled))
        .isInstanceOf(IllegalStateException.class);
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
  void aReportOfAnotherRunChangesNoStateAndIsNoted(JobTrigger trigger) {
    boolean aboutRun =
        ENDS_OF_RUNS.contains(trigger)
            || EnumSet.range(JobTrigger.GRANTED, JobTrigger.KILL_FAILED).contains(trigger)
            || trigger == JobTrigger.EXPIRED
            || trigger == JobTrigger.UNREADABLE;
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
  void onlyASubmissionIsAllowedBeforeAJobExists() {
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
