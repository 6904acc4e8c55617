package io.callboard.pollers.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.internal.poll.PollerRehearsal.Flaw;
import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of a poller over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays that world
 * alone; the nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class PollerRehearsalTest {
  private static final int WORLDS = 100;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 500;

  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.ACKNOWLEDGES_BEFORE_IT_IS_DURABLE, new Witness(5, "P2"),
          Flaw.FORGETS_WHAT_WAITS, new Witness(1, "P4"),
          Flaw.DOES_NOT_GIVE_BACK, new Witness(0, "P6"),
          Flaw.ACKNOWLEDGES_BEFORE_IT_IS_DECIDED, new Witness(5, "P2"));

  private final int[] counts = new int[4];

  private void play(long seed) {
    PollerRehearsal rehearsal = new PollerRehearsal(seed, Flaw.NONE);
    rehearsal.play();
    counts[0] += rehearsal.completed;
    counts[1] += rehearsal.dead;
    counts[2] += rehearsal.deaths;
    counts[3] += rehearsal.stops;
  }

  @Test
  void nothingIsLostAndEveryMessageEnds() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      for (int count : counts) {
        assertThat(count).as("completed, dead, deaths, stops").isGreaterThan(WORLDS / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new PollerRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new PollerRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void nothingIsLostInManyWorlds() {
    assertThat(Worlds.playMany(10_000, this::play)).isPositive();
    assertThat(counts[0]).isPositive();
  }
}
