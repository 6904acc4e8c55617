package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import io.callboard.workflows.internal.intake.IntakeRehearsal.Flaw;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of messages over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays that world
 * alone; the nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class IntakeRehearsalTest {
  private static final int WORLDS = 500;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 1_000;

  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.TAKES_TWICE, new Witness(1, "N[124]"),
          Flaw.SETTLES_AGAIN, new Witness(0, "N1"),
          Flaw.TAKES_OLD_ANSWERS, new Witness(4, "N2"));

  private final int[] counts = new int[4];

  private void play(long seed) {
    IntakeRehearsal rehearsal = new IntakeRehearsal(seed, Flaw.NONE);
    rehearsal.play();
    counts[0] += rehearsal.settled;
    counts[1] += rehearsal.failed;
    counts[2] += rehearsal.chained;
    counts[3] += rehearsal.moves;
  }

  @Test
  void everyMessageIsSettledExactlyOnce() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      for (int count : counts) {
        assertThat(count).as("settled, failed, chained, moves").isGreaterThan(WORLDS / 10);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new IntakeRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new IntakeRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void everyMessageIsSettledExactlyOnceInManyWorlds() {
    assertThat(Worlds.playMany(10_000, this::play)).isPositive();
    assertThat(counts[0]).isPositive();
  }
}
