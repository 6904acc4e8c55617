package io.callboard.jobs.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.model.RunState;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of runs, for every pair of a state and a trigger, with all facts. */
class RunTransitionTest {
  /** Those that name a run. */
  static final Set<JobTrigger> OF_RUNS = EnumSet.range(JobTrigger.GRANTED, JobTrigger.LOST);

  private static final List<RunFacts> FACTS =
      List.of(
          new RunFacts(false, false),
          new RunFacts(false, true),
          new RunFacts(true, false),
          new RunFacts(true, true));

  /** Returns the states to which a pair leads, by any facts. */
  private static Set<RunState> targets(RunState state, JobTrigger trigger) {
    Set<RunState> targets = EnumSet.noneOf(RunState.class);
    FACTS.stream()
        .map(facts -> RunTransition.of(state, trigger, facts).to())
        .filter(Objects::nonNull)
        .forEach(targets::add);
    return targets;
  }

  /** What each pair leads to, said once more. */
  private static Set<RunState> expected(RunState state, JobTrigger trigger) {
    if (state != RunState.ADMITTED && state != RunState.RUNNING) {
      return Set.of();
    }
    boolean admitted = state == RunState.ADMITTED;
    return switch (trigger) {
      case STARTED -> admitted ? Set.of(RunState.RUNNING) : Set.of();
      case NOT_STARTED -> admitted ? Set.of(RunState.NOT_STARTED) : Set.of();
      case ENDED -> Set.of(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED);
      case LOST -> Set.of(RunState.LOST);
      default -> Set.of();
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyPairLeadsWhereItShould(JobTrigger trigger) {
    for (RunState state : RunState.values()) {
      if (OF_RUNS.contains(trigger)) {
        assertThat(targets(state, trigger))
            .as("%s in %s", trigger, state)
            .isEqualTo(expected(state, trigger));
      } else {
        assertThatThrownBy(() -> RunTransition.of(state, trigger, RunFacts.NONE))
            .as("%s names no run", trigger)
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyTriggersOfEndedRunsAndImpossibleOnesAreRefused(RunState state) {
    for (JobTrigger trigger : OF_RUNS) {
      for (RunFacts facts : FACTS) {
        boolean impossible =
            trigger == JobTrigger.GRANTED
                || (trigger == JobTrigger.NOT_STARTED && state == RunState.RUNNING);
        RunTransition rule = RunTransition.of(state, trigger, facts);
        assertThat(rule.refuses())
            .as("%s in %s", trigger, state)
            .isEqualTo(impossible || !state.isOpen());
        assertThat(rule.refuses() && rule.to() != null)
            .as("%s refuses and leads on", rule)
            .isFalse();
      }
    }
  }

  @Test
  void theEndOfARunIsByItsExitCodeFirst() {
    for (RunState state : EnumSet.of(RunState.ADMITTED, RunState.RUNNING)) {
      assertThat(RunTransition.of(state, JobTrigger.ENDED, new RunFacts(true, true)))
          .isEqualTo(RunTransition.END_SUCCEEDED);
      assertThat(RunTransition.of(state, JobTrigger.ENDED, new RunFacts(false, true)))
          .isEqualTo(RunTransition.END_CANCELLED);
      assertThat(RunTransition.of(state, JobTrigger.ENDED, RunFacts.NONE))
          .isEqualTo(RunTransition.END_FAILED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRowIsTakenSomewhere(RunTransition rule) {
    Stream<RunState> states =
        Stream.concat(Stream.of((RunState) null), Stream.of(RunState.values())).filter(rule::fits);
    assertThat(
            states.anyMatch(
                state ->
                    FACTS.stream()
                        .anyMatch(facts -> RunTransition.of(state, rule.trigger(), facts) == rule)))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aRunBeginsWithItsGrantOnly(JobTrigger trigger) {
    if (trigger == JobTrigger.GRANTED) {
      assertThat(RunTransition.of(null, trigger, RunFacts.NONE).to()).isEqualTo(RunState.ADMITTED);
    } else {
      assertThatThrownBy(() -> RunTransition.of(null, trigger, RunFacts.NONE))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
