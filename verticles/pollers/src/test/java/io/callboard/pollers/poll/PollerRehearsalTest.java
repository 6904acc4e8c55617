package io.callboard.pollers.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.poll.PollerRehearsal.Flaw;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of a poller over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays that world
 * alone; the long form plays {@code -Dcallboard.rehearsal.worlds=100000}.
 */
class PollerRehearsalTest {
  private static final int WORLDS = 500;

  private static final Map<Flaw, List<String>> BREAKS =
      Map.of(
          Flaw.ACKNOWLEDGES_BEFORE_IT_IS_DURABLE, List.of("P2"),
          Flaw.FORGETS_WHAT_WAITS, List.of("P4"),
          Flaw.DOES_NOT_GIVE_BACK, List.of("P6"),
          Flaw.ACKNOWLEDGES_BEFORE_IT_IS_DECIDED, List.of("P2"));

  private static int[] play(long from, long to) {
    int[] counts = new int[4];
    for (long seed = from; seed < to; seed++) {
      PollerRehearsal rehearsal = new PollerRehearsal(seed, Flaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      counts[0] += rehearsal.completed;
      counts[1] += rehearsal.dead;
      counts[2] += rehearsal.deaths;
      counts[3] += rehearsal.stops;
    }
    return counts;
  }

  @Test
  void nothingIsLostAndEveryMessageEnds() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    int[] counts = only == null ? play(0, WORLDS) : play(only, only + 1);
    if (only == null) {
      for (int count : counts) {
        assertThat(count).as("completed, dead, deaths, stops").isGreaterThan(WORLDS / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    String broken = "";
    for (long seed = 0; seed < WORLDS && broken.isEmpty(); seed++) {
      try {
        new PollerRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        broken = String.valueOf(e.getMessage());
      }
    }
    String first = broken;
    assertThat(BREAKS.get(flaw)).as(first).anyMatch(first::startsWith);
  }

  @Test
  @Tag("long")
  void nothingIsLostInManyWorlds() {
    assertThat(play(0, Long.getLong("callboard.rehearsal.worlds", 10_000))[0]).isPositive();
  }
}
