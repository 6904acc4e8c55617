package io.callboard.workflows.work;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of desk and workers over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * long form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class WorkRehearsalTest {
  private static final int WORLDS = 400;

  /** A flaw shows in few of them. */
  private static final int FLAWED = 10 * WORLDS;

  /** The world from which on a flaw shows soon that shows in one of thousands. */
  private static final Map<WorkFlaw, Integer> FROM =
      Map.of(WorkFlaw.ENDS_LATER_RUNS, 5_000, WorkFlaw.FORGETS_WHAT_CAME_BACK, 10_000);

  /** The rules that each flaw breaks. */
  private static final Map<WorkFlaw, List<String>> BREAKS =
      Map.ofEntries(
          entry(WorkFlaw.REASSIGNS_WITHOUT_REVOKED, List.of("R1")),
          entry(WorkFlaw.COUNTED_CREDIT, List.of("C1")),
          entry(WorkFlaw.ASSIGNS_BEFORE_HELLOS, List.of("R1")),
          entry(WorkFlaw.COUNTS_NOTHING_BESIDE, List.of("C1")),
          entry(WorkFlaw.ENDS_LATER_RUNS, List.of("S1")),
          entry(WorkFlaw.FORGETS_RESULTS, List.of("S4")),
          entry(WorkFlaw.CANCELS_BEFORE_HELLOS, List.of("S2")),
          entry(WorkFlaw.LOSES_BEFORE_HELLOS, List.of("S2")),
          entry(WorkFlaw.ENROLLS_WITH_EACH_HELLO, List.of("E1")),
          entry(WorkFlaw.FORGETS_WHAT_CAME_BACK, List.of("R1")),
          entry(WorkFlaw.FORGETS_TOMBSTONES, List.of("R1")),
          entry(WorkFlaw.OBEYS_OLD_DESKS, List.of("R1")),
          entry(WorkFlaw.IGNORES_ITS_SESSION, List.of("R1", "S2")));

  private static int[] play(long from, long to) {
    int[] counts = new int[4];
    for (long seed = from; seed < to; seed++) {
      WorkRehearsal rehearsal = new WorkRehearsal(seed, WorkFlaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      counts[0] += rehearsal.begun;
      counts[1] += rehearsal.settled;
      counts[2] += rehearsal.lost;
      counts[3] += rehearsal.cancelled;
    }
    return counts;
  }

  @Test
  void theInvariantsHold() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    int[] counts = only == null ? play(0, WORLDS) : play(only, only + 1);
    if (only == null) {
      for (int count : counts) {
        assertThat(count).as("begun, settled, lost, cancelled").isGreaterThan(WORLDS / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(WorkFlaw flaw) {
    List<String> broken = new ArrayList<>();
    boolean caught = false;
    long from = FROM.getOrDefault(flaw, 0);
    for (long seed = from; seed < from + FLAWED && !caught; seed++) {
      try {
        new WorkRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        broken.add(line);
        caught = BREAKS.getOrDefault(flaw, List.of()).stream().anyMatch(line::startsWith);
      }
    }
    assertThat(caught).as("a rule of %s is broken; instead: %s", BREAKS.get(flaw), broken).isTrue();
  }

  @Test
  @Tag("long")
  void theInvariantsHoldInManyWorlds() {
    long from = Long.getLong("callboard.rehearsal.seed", 0);
    int[] counts = play(from, from + Long.getLong("callboard.rehearsal.worlds", 10_000));
    assertThat(counts[1]).isPositive();
  }
}
