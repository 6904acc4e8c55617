package io.callboard.workflows.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.intake.StartRehearsal.Flaw;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of brakes and permits over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone; the long form plays {@code -Dcallboard.rehearsal.worlds=100000}.
 */
class StartRehearsalTest {
  private static final int WORLDS = 200;

  private static final Map<Flaw, String> BREAKS =
      Map.of(
          Flaw.FORGETS_PERMITS, "B2",
          Flaw.TAKES_OLD_REPORTS, "B2",
          Flaw.HALVES_TO_ZERO, "B1");

  private static int[] play(long from, long to) {
    int[] counts = new int[2];
    for (long seed = from; seed < to; seed++) {
      StartRehearsal rehearsal = new StartRehearsal(seed, Flaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      counts[0] += rehearsal.braked;
      counts[1] += rehearsal.waited;
    }
    return counts;
  }

  @Test
  void theInvariantsHold() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    int[] counts = only == null ? play(0, WORLDS) : play(only, only + 1);
    if (only == null) {
      assertThat(counts[0]).as("changes of brakes").isGreaterThan(WORLDS);
      assertThat(counts[1]).as("instances that waited").isGreaterThan(WORLDS);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    String broken = "";
    for (long seed = 0; seed < WORLDS && broken.isEmpty(); seed++) {
      try {
        new StartRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        broken = String.valueOf(e.getMessage());
      }
    }
    assertThat(broken).startsWith(BREAKS.get(flaw));
  }

  @Test
  @Tag("long")
  void theInvariantsHoldInManyWorlds() {
    assertThat(play(0, Long.getLong("callboard.rehearsal.worlds", 10_000))[1]).isPositive();
  }
}
