package io.callboard.workflows.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.intake.IntakeRehearsal.Flaw;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of messages over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays that world
 * alone; the long form plays {@code -Dcallboard.rehearsal.worlds=100000}.
 */
class IntakeRehearsalTest {
  private static final int WORLDS = 1_000;

  private static final Map<Flaw, List<String>> BREAKS =
      Map.of(
          Flaw.TAKES_TWICE, List.of("N1", "N2", "N4"),
          Flaw.SETTLES_AGAIN, List.of("N1"),
          Flaw.TAKES_OLD_ANSWERS, List.of("N2"));

  private static int[] play(long from, long to) {
    int[] counts = new int[4];
    for (long seed = from; seed < to; seed++) {
      IntakeRehearsal rehearsal = new IntakeRehearsal(seed, Flaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      counts[0] += rehearsal.settled;
      counts[1] += rehearsal.failed;
      counts[2] += rehearsal.chained;
      counts[3] += rehearsal.moves;
    }
    return counts;
  }

  @Test
  void everyMessageIsSettledExactlyOnce() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    int[] counts = only == null ? play(0, WORLDS) : play(only, only + 1);
    if (only == null) {
      for (int count : counts) {
        assertThat(count).as("settled, failed, chained, moves").isGreaterThan(WORLDS / 10);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    String broken = "";
    for (long seed = 0; seed < WORLDS && broken.isEmpty(); seed++) {
      try {
        new IntakeRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        broken = String.valueOf(e.getMessage());
      }
    }
    String first = broken;
    assertThat(BREAKS.get(flaw)).as(first).anyMatch(first::startsWith);
  }

  @Test
  @Tag("long")
  void everyMessageIsSettledExactlyOnceInManyWorlds() {
    assertThat(play(0, Long.getLong("callboard.rehearsal.worlds", 10_000))[0]).isPositive();
  }
}
