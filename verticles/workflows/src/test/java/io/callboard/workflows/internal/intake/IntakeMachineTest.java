package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeData.Stage;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntakeMachineTest {
  private Instant now = Instant.parse("2026-11-26T08:00:00Z");
  private IntakeMachine machine = machine(IntakeData.EMPTY, 1);

  private static IntakeMachine machine(IntakeData data, long seed) {
    return new IntakeMachine(data, new SplittableRandom(seed));
  }

  /** Takes the message, which a builder makes an instance of. */
  private void take() {
    machine.take(
        new IntakeCommand.Take(
            "m1",
            null,
            "chain",
            JsonNodeFactory.instance.objectNode(),
            "/clients/c",
            now,
            null,
            null),
        now);
  }

  /** Returns the only effect of a kind, and forgets the others. */
  private <E extends IntakeEffect> E effect(Class<E> kind) {
    List<E> found = machine.effects().stream().filter(kind::isInstance).map(kind::cast).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** Answers the open question: something starts. */
  private void answered(Duration delay) {
    machine.answered(
        new IntakeCommand.Answered(
            effect(IntakeEffect.Ask.class).ask(),
            new IntakeStart("d", null, JsonNodeFactory.instance.objectNode(), 5, Map.of(), delay),
            null,
            false,
            null),
        now);
  }

  private void failed(boolean forGood) {
    machine.answered(
        new IntakeCommand.Answered(
            effect(IntakeEffect.Ask.class).ask(), null, "cannot be read", forGood, false),
        now);
  }

  private void ended() {
    machine.ended(
        new InstanceEnded(
            effect(IntakeEffect.Start.class).instance(), "d", InstanceState.SUCCEEDED, null, now),
        now);
  }

  @Test
  void aMessageThatComesAgainNeitherStartsAgainNorLosesItsReceipt() {
    take();
    answered(Duration.ZERO);
    IntakeData before = machine.data();
    int events = machine.events().size();
    assertThat(events).isPositive();
    String first = effect(IntakeEffect.Start.class).instance();
    take();
    assertThat(machine.events()).isEmpty();
    assertThat(machine.effects()).isEmpty();
    assertThat(machine.data()).isEqualTo(before);
    machine.ended(new InstanceEnded(first, "d", InstanceState.SUCCEEDED, null, now), now);
    IntakeEffect.Settle settled = effect(IntakeEffect.Settle.class);
    assertThat(settled.path()).isEqualTo("/clients/c");
    assertThat(settled.receipt().instance()).isEqualTo(first);
  }

  @Test
  void aChainEndsAtItsLimitAndSaysSo() {
    take();
    for (int link = 0; link < IntakeMachine.MOST_LINKS; link++) {
      answered(Duration.ZERO);
      ended();
    }
    assertThat(machine.data().stage()).isEqualTo(Stage.NEXT);
    answered(Duration.ZERO);
    assertThat(machine.data().stage()).isEqualTo(Stage.DONE);
    assertThat(machine.data().links()).isEqualTo(IntakeMachine.MOST_LINKS);
    assertThat(machine.data().error())
        .isEqualTo("1,000 instances are in its chain, which is the limit");
  }

  @Test
  void theNextInstanceStartsAfterItsDelayAndNotAtOnce() {
    take();
    answered(Duration.ZERO);
    ended();
    answered(Duration.ofSeconds(3));
    assertThat(effect(IntakeEffect.Remind.class).dueAt()).isEqualTo(now.plusSeconds(3));
    now = now.plusSeconds(2);
    machine.due(now);
    assertThat(machine.effects()).noneMatch(IntakeEffect.Start.class::isInstance);
    now = now.plusSeconds(1);
    machine.due(now);
    assertThat(effect(IntakeEffect.Start.class).start().definition()).isEqualTo("d");
  }

  @Test
  void aMessageThatCannotBeReadIsSettledAtOnceAndNotTriedForEver() {
    take();
    failed(true);
    MessageReceipt receipt = effect(IntakeEffect.Settle.class).receipt();
    assertThat(receipt.state()).isEqualTo(MessageReceipt.State.FAILED);
    assertThat(receipt.error()).isEqualTo("its builder failed: cannot be read");
  }

  @Test
  void aBuilderIsTriedAgainSomeTimesAfterPausesThatGrowAndDiffer() {
    Set<Duration> first = new HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      machine = machine(IntakeData.EMPTY, seed);
      take();
      Duration longest = Duration.ZERO;
      for (int attempt = 1; attempt < IntakeMachine.ATTEMPTS; attempt++) {
        failed(false);
        Duration pause = Duration.between(now, effect(IntakeEffect.Remind.class).dueAt());
        assertThat(pause).isBetween(longest, Duration.ofMinutes(1));
        longest = Duration.ofMillis(500L << attempt - 1); // what the next one is at least
        first.add(attempt == 1 ? pause : Duration.ZERO);
        now = now.plus(pause);
        machine.due(now);
      }
      failed(false);
      assertThat(machine.data().settled()).isEqualTo(MessageReceipt.State.FAILED);
    }
    assertThat(first).as("first pauses").hasSizeGreaterThan(5);
  }

  @Test
  void troubleOfTheCellIsNoFailureOfTheBuilderHoweverOftenItComes() {
    take();
    for (int time = 1; time <= 3 * IntakeMachine.ATTEMPTS; time++) {
      machine.answered(
          new IntakeCommand.Answered(
              effect(IntakeEffect.Ask.class).ask(), null, "no quorum", false, true),
          now);
      Duration pause = Duration.between(now, effect(IntakeEffect.Remind.class).dueAt());
      assertThat(pause).isBetween(Duration.ofSeconds(4), Duration.ofMinutes(1));
      assertThat(machine.data().attempts()).isZero();
      assertThat(machine.data().view().state()).isEqualTo(MessageReceipt.State.BUILDING);
      assertThat(machine.data().view().error()).isEqualTo("no quorum");
      now = now.plus(pause);
      machine.due(now);
    }
    answered(Duration.ZERO);
    assertThat(machine.data().view().state()).isEqualTo(MessageReceipt.State.STARTED);
  }

  private Duration spared() {
    machine.answered(
        new IntakeCommand.Answered(
            effect(IntakeEffect.Ask.class).ask(), null, "no quorum", false, true),
        now);
    Instant before = now;
    now = machine.data().dueAt() == null ? now : machine.data().dueAt();
    return Duration.between(before, now);
  }

  @Test
  void troubleThatNeverEndsFailsTheQuestionAndDoesNotCountForTheNext() {
    take();
    Duration tried = Duration.ZERO;
    for (int time = 1; time < IntakeMachine.MOST_SPARED; time++) {
      tried = tried.plus(spared());
      machine.due(now);
    }
    assertThat(tried).isGreaterThan(Duration.ofDays(1));
    answered(Duration.ZERO);
    ended();
    for (int time = 1; time < IntakeMachine.MOST_SPARED; time++) {
      assertThat(spared()).isPositive();
      machine.due(now);
    }
    assertThat(machine.data().stage()).isEqualTo(Stage.NEXT);
    assertThat(spared()).isZero();
    assertThat(machine.data().stage()).isEqualTo(Stage.DONE);
    assertThat(machine.data().error())
        .isEqualTo("its builder could not be asked 2,000 times: no quorum");
  }

  @Test
  void theNextLifeOfItsActorAsksWhatWasOpenAndStartsWhatWasDue() {
    take();
    machine = machine(machine.data(), 2);
    machine.due(now);
    answered(Duration.ZERO);
    ended();
    answered(Duration.ofSeconds(3));
    machine = machine(machine.data(), 3);
    now = now.plusSeconds(3);
    machine.due(now);
    assertThat(effect(IntakeEffect.Start.class).start().definition()).isEqualTo("d");
  }
}
