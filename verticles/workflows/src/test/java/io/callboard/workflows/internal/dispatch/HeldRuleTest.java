package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.workflows.internal.dispatch.DeskRun.State;
import io.callboard.workflows.internal.dispatch.HeldRule.Known;
import io.callboard.workflows.internal.dispatch.HeldRule.Says;
import io.callboard.workflows.internal.dispatch.HeldRule.Verdict;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of what a Hello means, for every pair of what is known and what is said. */
class HeldRuleTest {
  private static final Set<Known> AT_THE_WORKER =
      EnumSet.of(Known.OFFERED, Known.RUNNING, Known.REVOKED, Known.ENDED);
  private static final Set<Says> NOT_NAMED = EnumSet.of(Says.MISSING, Says.GONE);

  /** What each pair leads to, said once more; null if it cannot be. */
  private static @Nullable Verdict expected(Known known, Says says) {
    return switch (says) {
      case RUNNING ->
          switch (known) {
            case NOTHING -> Verdict.ADOPTED;
            case WAITING, OFFERED, RUNNING, REVOKED, ENDED -> Verdict.HERE;
            case ALIVE_ELSEWHERE, LATER_ALIVE, LATER_ENDED -> Verdict.BESIDE;
            case ENDED_ELSEWHERE -> Verdict.MOVED;
            case EARLIER_WAITING, EARLIER_ENDED -> Verdict.REPLACES;
            case EARLIER_ALIVE -> Verdict.DISPLACES;
            case LATER_WAITING -> Verdict.GOES_BEFORE;
          };
      case ENDED ->
          switch (known) {
            case NOTHING -> Verdict.ADOPTED;
            case WAITING, OFFERED, RUNNING, REVOKED, ENDED -> Verdict.HERE;
            case ALIVE_ELSEWHERE, ENDED_ELSEWHERE -> Verdict.BESIDE;
            case EARLIER_WAITING, EARLIER_ENDED -> Verdict.REPLACES;
            case EARLIER_ALIVE -> Verdict.DISPLACES;
            case LATER_WAITING, LATER_ALIVE, LATER_ENDED -> Verdict.IGNORED;
          };
      case SETTLED ->
          known == Known.WAITING || AT_THE_WORKER.contains(known) ? Verdict.HERE : Verdict.IGNORED;
      case MISSING ->
          switch (known) {
            case OFFERED, REVOKED -> Verdict.IGNORED;
            case RUNNING -> Verdict.ASKED;
            case ENDED -> Verdict.OVER;
            default -> null;
          };
      case GONE -> AT_THE_WORKER.contains(known) ? Verdict.LOST : null;
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyPairLeadsWhereItShouldByOneRow(Known known) {
    for (Says says : Says.values()) {
      Verdict verdict = expected(known, says);
      long rows = Stream.of(HeldRule.values()).filter(rule -> rule.fits(known, says)).count();
      assertThat(rows).as("rows for %s, %s", known, says).isEqualTo(verdict == null ? 0 : 1);
      if (verdict == null) {
        assertThatThrownBy(() -> HeldRule.of(known, says))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining(known.name());
      } else {
        assertThat(HeldRule.of(known, says).verdict())
            .as("%s, and it says %s", known, says)
            .isEqualTo(verdict);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRowIsTakenSomewhere(HeldRule rule) {
    assertThat(
            Stream.of(Known.values())
                .anyMatch(known -> Stream.of(Says.values()).anyMatch(s -> rule.fits(known, s))))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void onlyRunsHeldByTheWorkerAreLostWhenItsHelloOmitsThem(Known known) {
    for (Says says : NOT_NAMED) {
      assertThat(expected(known, says) != null).isEqualTo(AT_THE_WORKER.contains(known));
    }
  }

  private static DeskRun run(int run, State state, @Nullable DeskWorker worker) {
    DeskRun made = new DeskRun(new StepRunKey("i", "s", run), null, 1, 0);
    made.state = state;
    made.worker = worker;
    return made;
  }

  @ParameterizedTest
  @EnumSource
  void knowledgeOfAHeldRunFollowsFromTheRunOfItsStep(State state) {
    StepRunKey key = new StepRunKey("i", "s", 2);
    DeskWorker here = new DeskWorker(new WorkerId("one", "boot-one", 1), 0);
    DeskWorker other = new DeskWorker(new WorkerId("two", "boot-two", 1), 0);
    boolean waits = state == State.QUEUED;
    boolean ended = state == State.ENDED;
    assertThat(Known.of(run(2, state, waits ? null : here), key, here))
        .isEqualTo(Known.here(state));
    if (!waits) {
      assertThat(Known.of(run(2, state, other), key, here))
          .isEqualTo(ended ? Known.ENDED_ELSEWHERE : Known.ALIVE_ELSEWHERE);
    }
    assertThat(Known.of(run(1, state, waits ? null : here), key, here))
        .isEqualTo(
            waits ? Known.EARLIER_WAITING : ended ? Known.EARLIER_ENDED : Known.EARLIER_ALIVE);
    assertThat(Known.of(run(3, state, waits ? null : other), key, here))
        .isEqualTo(waits ? Known.LATER_WAITING : ended ? Known.LATER_ENDED : Known.LATER_ALIVE);
  }

  @Test
  void theStateOfAHeldRunFollowsFromTheReport() {
    assertThat(Known.of(null, held(false).key(), new DeskWorker(new WorkerId("n", "b", 1), 0)))
        .isEqualTo(Known.NOTHING);
    assertThat(Says.of(held(false), false)).isEqualTo(Says.RUNNING);
    assertThat(Says.of(held(false), true)).isEqualTo(Says.RUNNING);
    assertThat(Says.of(held(true), false)).isEqualTo(Says.ENDED);
    assertThat(Says.of(held(true), true)).isEqualTo(Says.SETTLED);
  }

  private static HeldRun held(boolean ended) {
    return new HeldRun(
        new StepRunKey("i", "s", 1), "node", "definition", "http", ended, null, null, null, null);
  }
}
