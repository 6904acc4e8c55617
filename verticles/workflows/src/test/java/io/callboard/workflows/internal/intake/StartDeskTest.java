package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.starts.StartAnswer;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Permits of one desk to the gates of two nodes. */
class StartDeskTest {
  private Instant now = Instant.parse("2026-11-25T18:00:00Z");
  private final StartGate one = new StartGate("n1", "b1");
  private final StartGate two = new StartGate("n2", "b2");

  private StartDesk desk(int most, Map<String, Integer> weights) {
    return new StartDesk(7, List.of(), weights, most, now);
  }

  private List<String> exchange(StartDesk desk, StartGate gate) {
    StartAnswer answer = desk.report(gate.report(), now);
    return gate.answered(answer, now);
  }

  private void rounds(StartDesk desk, int count) {
    for (int i = 0; i < count; i++) {
      now = now.plusSeconds(1);
      assertThat(exchange(desk, one)).isEmpty();
      assertThat(exchange(desk, two)).isEmpty();
    }
  }

  @Test
  void withoutABrakeAllBeginAtOnce() {
    StartDesk desk = desk(1_000, Map.of());
    rounds(desk, 6);
    for (int i = 0; i < 300; i++) {
      assertThat(one.begins("d", "i" + i, now)).isTrue();
    }
    assertThat(one.waits()).isFalse();
    assertThat(exchange(desk, one)).isEmpty();
    assertThat(desk.brakes()).isEmpty();
  }

  /** Found by the rehearsal: the desk shared its room by the number of nodes, none. */
  @Test
  void anOldReportIsAnsweredThoughAllNodesAreForgotten() {
    StartDesk desk = desk(1_000, Map.of());
    StartReport late = one.report();
    assertThat(desk.report(late, now).epoch()).isEqualTo(7);
    now = now.plusSeconds(3_600);
    assertThat(desk.report(late, now).epoch()).isEqualTo(7);
    assertThat(exchange(desk, one)).as("it joins again").isEmpty();
  }

  @Test
  void anOverrideHoldsLaterStartsAndEachEndLetsOneBegin() {
    StartDesk desk = desk(1_000, Map.of());
    assertThat(one.begins("d", "early", now)).isTrue();
    now = now.plusSeconds(1);
    desk.override("d", new BrakeOverride(2, "ann", null, now), now);
    rounds(desk, 6);
    assertThat(one.begins("d", "x1", now)).isFalse();
    assertThat(one.begins("d", "x2", now)).isFalse();
    assertThat(two.begins("d", "y1", now)).isFalse();
    assertThat(two.begins("other", "z", now)).as("another definition").isTrue();
    assertThat(one.why("d"))
        .isEqualTo(
            "its definition may have 2 instances running that began since 2026-11-25T18:00:01Z, as ann has set");
    now = now.plusSeconds(1);
    assertThat(exchange(desk, one)).containsExactly("x1", "x2");
    now = now.plusSeconds(1);
    assertThat(exchange(desk, two)).as("the credit is used").isEmpty();
    one.ended("x1", true);
    now = now.plusSeconds(1);
    assertThat(exchange(desk, one)).isEmpty();
    now = now.plusSeconds(1);
    assertThat(exchange(desk, two)).containsExactly("y1");
    assertThat(desk.brake(now, "d").running()).isEqualTo(2);
  }

  @Test
  void aWaitingStartGoesOnWhenTheOverrideIsRemoved() {
    StartDesk desk = desk(1_000, Map.of());
    desk.override("d", new BrakeOverride(0, "ann", null, now), now);
    rounds(desk, 6);
    assertThat(one.begins("d", "x", now)).isFalse();
    rounds(desk, 3);
    desk.override("d", null, now);
    now = now.plusSeconds(1);
    assertThat(exchange(desk, one)).containsExactly("x");
  }

  @Test
  void aPermitThatIsNotNeededIsGivenBack() {
    StartDesk desk = desk(1_000, Map.of());
    desk.override("d", new BrakeOverride(1, "ann", null, now), now);
    rounds(desk, 6);
    assertThat(one.begins("d", "x", now)).isFalse();
    now = now.plusSeconds(1);
    StartAnswer permit = desk.report(one.report(), now);
    one.left("x");
    assertThat(one.answered(permit, now)).isEmpty();
    assertThat(two.begins("d", "y", now)).isFalse();
    now = now.plusSeconds(1);
    assertThat(exchange(desk, one)).isEmpty();
    now = now.plusSeconds(1);
    assertThat(exchange(desk, two)).containsExactly("y");
  }

  @Test
  void placesOfTheCellAreSharedByTheWeightsThatWereSet() {
    two.weighs("light", 500);
    placesAreShared(desk(20, Map.of("heavy", 3, "light", 1)));
  }

  @Test
  void placesOfTheCellAreSharedByTheWeightsOfTheDefinitions() {
    two.weighs("heavy", 3);
    placesAreShared(desk(20, Map.of()));
  }

  /** While places are scarce each definition has its share by weight, within one permit. */
  private void placesAreShared(StartDesk desk) {
    rounds(desk, 6);
    for (int i = 0; i < 20; i++) {
      boolean unused = one.begins("first", "f" + i, now);
    }
    now = now.plusSeconds(1);
    assertThat(exchange(desk, one).size()).isBetween(0, 10);
    for (int round = 0; round < 4; round++) {
      now = now.plusSeconds(1);
      assertThat(exchange(desk, one).size()).isBetween(0, 10);
      assertThat(exchange(desk, two)).isEmpty();
    }
    assertThat(one.waits()).as("the other node has given back what it could begin").isFalse();
    for (int i = 0; i < 200; i++) {
      assertThat(two.begins("heavy", "h" + i, now)).isFalse();
      assertThat(two.begins("light", "l" + i, now)).isFalse();
    }
    now = now.plusSeconds(1);
    assertThat(exchange(desk, two)).as("the cell is full").isEmpty();
    int heavy = 0;
    int light = 0;
    for (int round = 0; round < 20; round++) {
      one.ended("f" + round, true);
      now = now.plus(Duration.ofSeconds(1));
      assertThat(exchange(desk, one)).isEmpty();
      now = now.plus(Duration.ofSeconds(1));
      for (String begun : exchange(desk, two)) {
        heavy += begun.startsWith("h") ? 1 : 0;
        light += begun.startsWith("l") ? 1 : 0;
      }
      assertThat(heavy).isBetween((int) (0.75 * (heavy + light)) - 2, 3 * (heavy + light) / 4 + 1);
    }
    assertThat(heavy + light).isEqualTo(20);
    assertThat(heavy).isBetween(14, 16);
  }
}
