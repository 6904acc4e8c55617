package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.starts.StartAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** No more instances run in the cell than may, on nodes that know the desk; and no fewer. */
class RunningLimitTest {
  private static final int MOST = 11;
  private static final int NODES = 3;
  private static final int STEPS = 600;

  /** Time after which a node reports at the latest. */
  private static final Duration QUIET = Duration.ofSeconds(5);

  private Instant now = Instant.parse("2026-11-28T09:00:00Z");
  private final StartDesk desk = new StartDesk(7, List.of(), Map.of(), MOST, now);
  private final List<StartGate> gates = new ArrayList<>();
  private final List<Instant> reported = new ArrayList<>();
  private final List<String> waiting = new ArrayList<>();
  private final List<String> running = new ArrayList<>();
  private int begun;

  private void open() {
    for (int i = 0; i < NODES; i++) {
      gates.add(new StartGate("n" + i, "b" + i));
      reported.add(now);
    }
    for (int i = 0; i < 10; i++) {
      passes(1_000);
      for (int gate = 0; gate < NODES; gate++) {
        reports(gate, false);
      }
    }
  }

  private void passes(int millis) {
    now = now.plusMillis(millis);
  }

  private void begins(int gate) {
    String id = gate + "/" + ++begun;
    (gates.get(gate).begins("d", id, now) ? running : waiting).add(id);
  }

  private void ends(String id) {
    running.remove(id);
    gates.get(id.charAt(0) - '0').ended(id, true);
  }

  private void reports(int gate, boolean lost) {
    StartAnswer answer = desk.report(gates.get(gate).report(), now);
    reported.set(gate, now);
    if (!lost) {
      List<String> may = gates.get(gate).answered(answer, now);
      waiting.removeAll(may);
      running.addAll(may);
    }
  }

  private void moment(SplittableRandom random) {
    passes(200);
    int gate = random.nextInt(NODES);
    switch (random.nextInt(4)) {
      case 0 -> begins(gate);
      case 1 -> reports(gate, random.nextInt(5) == 0);
      case 2 -> {
        if (!running.isEmpty() && random.nextInt(3) == 0) {
          ends(running.get(random.nextInt(running.size())));
        }
      }
      default -> {
        // nothing happens
      }
    }
    for (int each = 0; each < NODES; each++) {
      if (!reported.get(each).plus(QUIET).isAfter(now)) {
        reports(each, false);
      }
    }
    assertThat(running).as("running instances").hasSizeLessThanOrEqualTo(MOST);
  }

  /** Seed 300251 of the rehearsal: a node that was quiet used what others had been given since. */
  @Test
  void permitsOfAQuietNodeAreNotGivenToOthers() {
    open();
    while (begun < MOST) {
      begins(0);
      passes(1_000);
      reports(0, false);
      reports(1, false);
    }
    for (int i = 0; i < MOST; i++) {
      begins(2);
    }
    assertThat(running).hasSizeLessThanOrEqualTo(MOST);
  }

  @Test
  void theLimitIsNeverExceededAndIsUsedUpInTheEnd() {
    for (long seed = 0; seed < 300; seed++) {
      RunningLimitTest cell = new RunningLimitTest();
      cell.open();
      SplittableRandom random = new SplittableRandom(seed);
      for (int step = 0; step < STEPS; step++) {
        cell.moment(random);
      }
      cell.fills(seed);
    }
  }

  private void fills(long seed) {
    for (int i = 0; i < MOST; i++) {
      begins(i % NODES);
    }
    for (int i = 0; i < 30; i++) {
      passes(1_000);
      for (int gate = 0; gate < NODES; gate++) {
        reports(gate, false);
      }
    }
    assertThat(running).as("seed %d", seed).hasSize(MOST);
  }
}
