package io.callboard.jobs.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.actor.GateRehearsal.Flaw;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rehearsal that never finds two live runs of a job, nor more runs than a limit, whatever is
 * delayed, frozen, restarted or replaced.
 */
class GateRehearsalTest {
  private static final int SEEDS = 300;

  /** A flaw shows in few of them. */
  private static final int FLAWED = 10 * SEEDS;

  @Test
  void whatWasToldLostNeverStarts() {
    int started = 0;
    int lost = 0;
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      GateRehearsal rehearsal = new GateRehearsal(seed, Flaw.NONE);
      try {
        rehearsal.play();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      started += rehearsal.started;
      lost += rehearsal.lost;
      refused += rehearsal.refused;
    }
    assertThat(List.of(started, lost, refused))
        .as("the faults do something")
        .allSatisfy(count -> assertThat(count).isGreaterThan(SEEDS));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theRulesBreakWithEachFlaw(Flaw flaw) {
    List<String> broken = new ArrayList<>();
    boolean caught = false;
    for (long seed = 0; seed < FLAWED && !caught; seed++) {
      try {
        new GateRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        broken.add(line);
        caught = line.contains("alive");
      }
    }
    assertThat(caught).as("more runs are alive than may be; instead: %s", broken).isTrue();
  }
}
