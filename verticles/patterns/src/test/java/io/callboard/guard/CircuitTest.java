package io.callboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.guard.GuardStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the decisions of a guard, case by case: the machine alone. */
class CircuitTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Exception CAUSE = new IllegalStateException("500");

  private final Map<Long, Long> begun = new HashMap<>();

  private long offered;

  /** Time of the clock; it does not begin at zero, since its origin means nothing. */
  private long now = Long.MAX_VALUE - 5 * SECOND;

  /** Waits a second after the first failure, two after the second, and so on. */
  private Circuit circuit(int limit, int underWay, int attempts, boolean fallback) {
    return circuit(limit, underWay, attempts, fallback, 1);
  }

  private Circuit circuit(int limit, int underWay, int attempts, boolean fallback, int threshold) {
    return new Circuit(
        new Circuit.Settings(
            limit, underWay, attempts, Duration.ofSeconds(10), fallback, threshold),
        Duration::ofSeconds,
        id -> begun.getOrDefault(id, InFlight.NOT_BEGUN),
        now);
  }

  private List<CircuitAction> acts(Circuit circuit) {
    List<CircuitAction> acts = new ArrayList<>();
    for (CircuitAction circuitAction = circuit.next(now, true);
        circuitAction != null;
        circuitAction = circuit.next(now, true)) {
      acts.add(circuitAction);
      assertThat(acts).hasSizeLessThan(1_000);
    }
    return acts;
  }

  private static CircuitAction forward(long id, int attempt) {
    return new CircuitAction.Forward(id, attempt);
  }

  private void offer(Circuit circuit, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(circuit.offered()).as("number of the message").isEqualTo(offered++);
    }
  }

  @Test
  void messagesAreGivenOutUpToTheNumberThatMayBeUnderWay() {
    Circuit circuit = circuit(10, 2, 5, false);
    offer(circuit, 3);
    assertThat(acts(circuit)).containsExactly(forward(0, 1), forward(1, 1));
    assertThat(circuit.held()).isEqualTo(1);
    assertThat(circuit.succeeded(0, 1, now)).isTrue();
    assertThat(acts(circuit)).containsExactly(forward(2, 1));
    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void onlySoManyFailuresInARowOpenIt() {
    Circuit circuit = circuit(10, 1, 9, false, 3);
    offer(circuit, 3);
    assertThat(acts(circuit)).containsExactly(forward(0, 1));
    circuit.failed(0, 1, CAUSE, true, now);
    assertThat(acts(circuit)).as("tried again at once").containsExactly(forward(0, 2));
    circuit.failed(0, 2, CAUSE, true, now);
    assertThat(acts(circuit)).containsExactly(forward(0, 3));
    assertThat(circuit.succeeded(0, 3, now)).isTrue();
    assertThat(circuit.failures()).as("a success begins anew").isZero();
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(acts(circuit)).containsExactly(forward(1, attempt));
      assertThat(circuit.state()).isEqualTo(State.CLOSED);
      circuit.failed(1, attempt, CAUSE, true, now);
    }
    assertThat(circuit.state()).isEqualTo(State.OPEN);
    assertThat(circuit.untilWakeNs(now)).as("the first wait").isEqualTo(SECOND);
    now += SECOND;
    assertThat(acts(circuit)).containsExactly(forward(1, 4));
    circuit.failed(1, 4, CAUSE, true, now);
    assertThat(circuit.untilWakeNs(now)).as("the failure of a trial").isEqualTo(2 * SECOND);
    assertThat(circuit.takeChanges())
        .containsExactly(
            new Circuit.Change(State.CLOSED, State.OPEN, 3),
            new Circuit.Change(State.OPEN, State.HALF_OPEN, 3),
            new Circuit.Change(State.HALF_OPEN, State.OPEN, 4));
    assertThat(circuit.takeChanges()).isEmpty();
  }

  @Test
  void aFailureOpensAndTheOldestIsTriedAfterTheBackoff() {
    Circuit circuit = circuit(10, 2, 5, false);
    offer(circuit, 4);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.TakeBack(1, 1));
    circuit.takenBack(1, 1);
    assertThat(circuit.state()).isEqualTo(State.OPEN);
    assertThat(circuit.held()).isEqualTo(4);
    assertThat(circuit.untilWakeNs(now)).isEqualTo(SECOND);
    now += SECOND - 1;
    assertThat(acts(circuit)).isEmpty();
    now++;
    assertThat(acts(circuit)).containsExactly(forward(0, 2));
    assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
    assertThat(circuit.redelivered()).isEqualTo(1);
    assertThat(circuit.succeeded(0, 2, now)).isTrue();
    assertThat(acts(circuit)).containsExactly(forward(1, 2), forward(2, 1));
    assertThat(circuit.redelivered()).as("1 was never begun").isEqualTo(1);
  }

  @Test
  void eachFailureOfATrialWaitsLongerAndAnAcknowledgementResetsThat() {
    Circuit circuit = circuit(10, 1, 5, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    for (int failure = 1; failure <= 3; failure++) {
      circuit.failed(0, failure, CAUSE, true, now);
      assertThat(circuit.failures()).isEqualTo(failure);
      assertThat(circuit.untilWakeNs(now)).isEqualTo(failure * SECOND);
      now += failure * SECOND;
      assertThat(acts(circuit)).containsExactly(forward(0, failure + 1));
    }
    assertThat(circuit.succeeded(0, 4, now)).isTrue();
    assertThat(circuit.failures()).isZero();
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
    circuit.failed(1, 1, CAUSE, true, now);
    assertThat(circuit.untilWakeNs(now)).isEqualTo(SECOND);
  }

  @Test
  void aPoisonedMessageIsGivenUpAndTheOthersGoOn() {
    Circuit circuit = circuit(10, 1, 2, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    now += SECOND;
    assertThat(acts(circuit)).containsExactly(forward(0, 2));
    circuit.failed(0, 2, CAUSE, true, now);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.GiveUp(0, CAUSE, 2, false));
    now += 2 * SECOND;
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
    assertThat(circuit.succeeded(1, 1, now)).isTrue();
    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void aMessageThatWasNotBegunIsNotCharged() {
    Circuit circuit = circuit(10, 1, 1, false);
    offer(circuit, 1);
    List<CircuitAction> unused = acts(circuit);
    for (int failure = 1; failure < 20; failure++) {
      circuit.failed(0, failure, CAUSE, false, now);
      now += failure * SECOND;
      assertThat(acts(circuit)).containsExactly(forward(0, failure + 1));
    }
    assertThat(circuit.redelivered()).isZero();
  }

  @Test
  void overTheLimitTheOldestThatWaitsIsGivenUp() {
    Circuit circuit = circuit(3, 1, 5, false);
    offer(circuit, 3);
    assertThat(acts(circuit)).containsExactly(forward(0, 1));
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.GiveUp(1, null, 0, true));
    circuit.failed(0, 1, CAUSE, true, now);
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.GiveUp(0, CAUSE, 1, true));
    assertThat(circuit.held()).isEqualTo(3);
  }

  @Test
  void aMessageThatComesMeanwhileGoesToTheFallbackAndOneThatWasTriedDoesNot() {
    Circuit circuit = circuit(10, 1, 5, true);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.Fallback(2));
    now += SECOND;
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.Fallback(3), forward(0, 2));
    assertThat(circuit.succeeded(0, 2, now)).isTrue();
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
  }

  @Test
  void whereNothingIsKeptTheNextThatComesIsTheTrial() {
    Circuit circuit = circuit(10, 1, 5, true);
    offer(circuit, 1);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    assertThat(circuit.lapsed(0)).isTrue();
    now += SECOND;
    assertThat(acts(circuit)).isEmpty();
    assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
    offer(circuit, 1);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.Fallback(2));
    assertThat(circuit.succeeded(1, 1, now)).isTrue();
    assertThat(circuit.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void aTrialThatNobodyWantsAnyMoreMakesRoomForTheNext() {
    Circuit circuit = circuit(10, 1, 5, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    now += SECOND;
    assertThat(acts(circuit)).containsExactly(forward(0, 2));
    assertThat(circuit.lapsed(0)).isTrue();
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
  }

  @Test
  void aMessageBegunBeforeSaysNothingAboutTheCircuit() {
    Circuit circuit = circuit(10, 3, 5, false);
    offer(circuit, 3);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    circuit.failed(1, 1, CAUSE, true, now + SECOND / 2);
    assertThat(circuit.failures()).isEqualTo(1);
    assertThat(circuit.untilWakeNs(now)).isEqualTo(SECOND);
    assertThat(circuit.succeeded(2, 1, now)).isTrue();
    assertThat(circuit.state()).isEqualTo(State.OPEN);
    now += SECOND;
    assertThat(acts(circuit)).contains(forward(0, 2)).doesNotContain(forward(1, 2));
  }

  @Test
  void aLateSuccessAcknowledgesItsMessageAndDoesNotClose() {
    Circuit circuit = circuit(10, 1, 5, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    circuit.failed(0, 1, CAUSE, true, now);
    now += SECOND;
    assertThat(acts(circuit)).containsExactly(forward(0, 2));
    assertThat(circuit.succeeded(0, 1, now)).as("of the first attempt").isTrue();
    assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
    assertThat(acts(circuit)).containsExactly(forward(1, 1));
    circuit.failed(0, 2, CAUSE, true, now);
    assertThat(circuit.succeeded(0, 2, now)).isFalse();
    assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
  }

  @Test
  void theDeadlineCountsFromTheBeginningOfTheHandler() {
    Circuit circuit = circuit(10, 3, 5, false);
    offer(circuit, 3);
    List<CircuitAction> unused = acts(circuit);
    now += 9 * SECOND;
    begun.put(0L, now);
    now += 9 * SECOND;
    assertThat(acts(circuit)).isEmpty();
    assertThat(circuit.untilWakeNs(now)).isEqualTo(SECOND);
    now += SECOND;
    assertThat(circuit.next(now, true)).isEqualTo(new CircuitAction.Expire(0, 1));
    circuit.failed(0, 1, CAUSE, true, now);
    assertThat(acts(circuit))
        .containsExactly(new CircuitAction.TakeBack(1, 1), new CircuitAction.TakeBack(2, 1));
  }

  @Test
  void aDeadlineIsLookedAtBeforeTheEndOfTheWait() {
    Circuit circuit = circuit(10, 2, 5, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    begun.put(1L, now);
    now += 9 * SECOND + SECOND / 2;
    circuit.failed(0, 1, CAUSE, true, now);
    assertThat(acts(circuit)).containsExactly(new CircuitAction.TakeBack(1, 1));
    assertThat(circuit.untilWakeNs(now)).isEqualTo(SECOND / 2);
    now += SECOND / 2;
    assertThat(circuit.untilWakeNs(now)).isZero();
    assertThat(circuit.next(now, true)).isEqualTo(new CircuitAction.Expire(1, 1));
  }

  @ParameterizedTest
  @CsvSource({"9,false", "10,true"})
  void aMessageThatNobodyBeginsIsOverItsDeadlineToo(int seconds, boolean over) {
    Circuit circuit = circuit(10, 2, 5, false);
    offer(circuit, 2);
    List<CircuitAction> unused = acts(circuit);
    now += 4 * SECOND;
    assertThat(circuit.succeeded(0, 1, now)).isTrue();
    now += seconds * SECOND;
    CircuitAction next = circuit.next(now, true);
    if (over) {
      assertThat(next).isEqualTo(new CircuitAction.Expire(1, 1));
    } else {
      assertThat(next).isNull();
    }
  }

  @Test
  void nothingIsGivenOutWhileTheActorIsReplaced() {
    Circuit circuit = circuit(10, 2, 5, false);
    offer(circuit, 1);
    assertThat(circuit.next(now, false)).isNull();
    assertThat(circuit.next(now, true)).isEqualTo(forward(0, 1));
  }
}
