package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import io.callboard.workflows.internal.intake.StartRehearsal.Flaw;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of brakes and permits over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone; the nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that
 * seed on.
 */
class StartRehearsalTest {
  private static final int WORLDS = 60;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 200;

  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.FORGETS_PERMITS, new Witness(0, "B2"),
          Flaw.TAKES_OLD_REPORTS, new Witness(62, "B2"),
          Flaw.HALVES_TO_ZERO, new Witness(118, "B1"));

  private int braked;
  private int waited;

  private void play(long seed) {
    StartRehearsal rehearsal = new StartRehearsal(seed, Flaw.NONE);
    rehearsal.play();
    braked += rehearsal.braked;
    waited += rehearsal.waited;
  }

  @Test
  void theInvariantsHold() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      assertThat(braked).as("changes of brakes").isGreaterThan(WORLDS);
      assertThat(waited).as("instances that waited").isGreaterThan(WORLDS);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new StartRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new StartRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void theInvariantsHoldInManyWorlds() {
    assertThat(Worlds.playMany(10_000, this::play)).isPositive();
    assertThat(waited).isPositive();
  }
}
