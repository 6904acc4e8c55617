package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.grid.ClockWatch.Change;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of clock comparison by questions and answers. */
class ClockWatchTest {
  private static final long MILLI = 1_000_000;
  private final ClockWatch watch = new ClockWatch();
  private final ClockWatch other = new ClockWatch();
  private long nowNs = Long.MAX_VALUE - 100 * MILLI;
  private long nowMillis = 1_000_000;

  @BeforeEach
  void members() {
    watch.members(Map.of("boot-2", "two"));
  }

  /** Exchanges one question and its answer; returns the change. */
  private Optional<Change> asks(long aheadMillis, long thereMillis, long backMillis) {
    byte[] question = watch.ask(List.of("boot-2"), nowNs).get(0).body();
    pass(thereMillis);
    byte[] answer = other.answer("boot-1", question, nowMillis + aheadMillis).orElseThrow().body();
    pass(backMillis);
    return watch.came("boot-2", answer, nowNs, nowMillis);
  }

  private void pass(long millis) {
    nowNs += millis * MILLI;
    nowMillis += millis;
  }

  @Test
  void aClockThatDiffersTwiceInARowIsReportedOnceAndWhenItAgreesAgain() {
    assertThat(asks(-3_600_000, 5, 5)).isEmpty();
    assertThat(asks(-3_600_000, 5, 5)).contains(new Change("two", Optional.of(-3_600_000L)));
    assertThat(watch.differing()).isEqualTo(Map.of("two", -3_600L));
    assertThat(asks(-3_600_100, 5, 5)).as("much the same").isEmpty();
    assertThat(asks(-3_606_000, 5, 5)).contains(new Change("two", Optional.of(-3_606_000L)));
    assertThat(asks(-400, 5, 5)).contains(new Change("two", Optional.empty()));
    assertThat(watch.differing()).isEmpty();
    assertThat(asks(9_000, 5, 5)).as("once is no finding").isEmpty();
    assertThat(asks(0, 5, 5)).isEmpty();
    assertThat(asks(9_000, 5, 5)).isEmpty();
  }

  @Test
  void aSlowAnswerIsNoClockDifference() {
    for (int i = 0; i < 4; i++) {
      assertThat(asks(0, 9_000, 0)).isEmpty();
      assertThat(asks(0, 0, 9_000)).isEmpty();
      assertThat(asks(6_000, 2_000, 2_000)).as("4 to 8 s").isEmpty();
      assertThat(asks(3_600_000, 9_000, 9_000)).as("too slow to tell").isEmpty();
    }
  }

  @Test
  void anotherSignalChangesNothing() {
    for (String body :
        List.of("", "1", "2 q 5", "1 q", "1 a 5", "1 a 9999999999999999999 5", "x")) {
      byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
      assertThat(watch.came("boot-2", bytes, nowNs, nowMillis)).as(body).isEmpty();
      assertThat(watch.answer("boot-2", bytes, nowMillis)).as(body).isEmpty();
    }
    byte[] answer = ("1 a " + nowNs + " 5").getBytes(StandardCharsets.US_ASCII);
    assertThat(watch.came("a stranger", answer, nowNs, nowMillis)).isEmpty();
    assertThat(watch.differing()).isEmpty();
  }

  @Test
  void aNodeThatLeftDoesNotDifferAnyMore() {
    Optional<Change> unused = asks(9_000, 1, 1);
    unused = asks(9_000, 1, 1);
    assertThat(watch.differing()).hasSize(1);
    watch.members(Map.of());
    assertThat(watch.differing()).isEmpty();
  }

  /** In a large cell a node watches only some others, and different ones when nodes come and go. */
  @Test
  void anUnwatchedNodeDoesNotDifferAnyMore() {
    watch.members(Map.of("boot-2", "two", "boot-3", "three"));
    Optional<Change> unused = asks(9_000, 1, 1);
    unused = asks(9_000, 1, 1);
    byte[] last = watch.ask(List.of("boot-2"), nowNs).get(0).body();
    assertThat(watch.differing()).isEqualTo(Map.of("two", 9L));
    assertThat(watch.ask(List.of("boot-3"), nowNs)).hasSize(1);
    assertThat(watch.differing()).isEmpty();
    byte[] answer = other.answer("boot-1", last, nowMillis + 9_000).orElseThrow().body();
    for (int i = 0; i < ClockWatch.CONFIRMATIONS; i++) {
      assertThat(watch.came("boot-2", answer, nowNs, nowMillis)).as("late").isEmpty();
    }
    assertThat(watch.differing()).isEmpty();
  }
}
