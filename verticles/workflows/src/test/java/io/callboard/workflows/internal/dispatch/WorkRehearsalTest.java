package io.callboard.workflows.internal.dispatch;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of desk and workers over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class WorkRehearsalTest {
  private static final int WORLDS = 100;

  /** A flaw shows in few of them. */
  private static final int FLAWED = 12_000;

  /** The rules that each flaw breaks, and where. */
  private static final Map<WorkFlaw, Witness> WITNESSES =
      Map.ofEntries(
          entry(WorkFlaw.REASSIGNS_WITHOUT_REVOKED, new Witness(3, "R1")),
          entry(WorkFlaw.COUNTED_CREDIT, new Witness(0, "C1")),
          entry(WorkFlaw.ASSIGNS_BEFORE_HELLOS, new Witness(2, "R1|S2")),
          entry(WorkFlaw.COUNTS_NOTHING_BESIDE, new Witness(68, "C1")),
          entry(WorkFlaw.ENDS_LATER_RUNS, new Witness(5359, "S1")),
          entry(WorkFlaw.FORGETS_RESULTS, new Witness(1059, "S4")),
          entry(WorkFlaw.CANCELS_BEFORE_HELLOS, new Witness(25, "S2")),
          entry(WorkFlaw.LOSES_BEFORE_HELLOS, new Witness(1388, "S2")),
          entry(WorkFlaw.ENROLLS_WITH_EACH_HELLO, new Witness(0, "E1")),
          entry(WorkFlaw.FORGETS_WHAT_CAME_BACK, new Witness(11114, "R1")),
          entry(WorkFlaw.TAKES_REQUESTS_OF_FORMER_OWNERS, new Witness(1, "S5")),
          entry(WorkFlaw.BEGINS_WITHOUT_ASKING, new Witness(1198, "R2")),
          entry(WorkFlaw.FORGETS_WHO_HAD_IT, new Witness(6, "R3")),
          entry(WorkFlaw.FORGETS_TOMBSTONES, new Witness(24, "R1")),
          entry(WorkFlaw.OBEYS_OLD_DESKS, new Witness(10, "R1")),
          entry(WorkFlaw.IGNORES_ITS_SESSION, new Witness(16, "R1|S2")));

  private final int[] counts = new int[4];

  private void play(long seed) {
    WorkRehearsal rehearsal = new WorkRehearsal(seed, WorkFlaw.NONE);
    rehearsal.play();
    counts[0] += rehearsal.begun;
    counts[1] += rehearsal.settled;
    counts[2] += rehearsal.lost;
    counts[3] += rehearsal.cancelled;
  }

  @Test
  void theInvariantsHold() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      for (int count : counts) {
        assertThat(count).as("begun, settled, lost, cancelled").isGreaterThan(WORLDS / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(WorkFlaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new WorkRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(WorkFlaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new WorkRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void theInvariantsHoldInManyWorlds() {
    assertThat(Worlds.playMany(10_000, this::play)).isPositive();
    assertThat(counts[1]).isPositive();
  }
}
