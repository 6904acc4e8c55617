package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.GateRehearsal.Flaw;
import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rehearsal that never finds two live runs of a job, nor more runs than a limit, whatever is
 * delayed, frozen, restarted or replaced. {@code -Dcallboard.rehearsal.seed=17} plays that world
 * alone; the nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class GateRehearsalTest {
  private static final int SEEDS = 100;

  /** A flaw shows in few of them. */
  private static final int FLAWED = 3_000;

  private static final String TOO_MANY = ".*alive";

  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.STARTS_ANYTHING, new Witness(5, TOO_MANY),
          Flaw.SPEAKS_FOR_EARLIER_BOOTS, new Witness(12, TOO_MANY),
          Flaw.FREES_SLOTS_EARLY, new Witness(3, TOO_MANY),
          Flaw.REUSES_RUN_IDS, new Witness(245, TOO_MANY));

  private int started;
  private int lost;
  private int refused;
  private int unread;

  private void play(long seed) {
    GateRehearsal rehearsal = new GateRehearsal(seed, Flaw.NONE);
    rehearsal.play();
    started += rehearsal.started;
    lost += rehearsal.lost;
    refused += rehearsal.refused;
    unread += rehearsal.unread;
  }

  @Test
  void aRunThatWasReportedLostNeverStarts() {
    if (Worlds.play(SEEDS, this::play) > 1) {
      assertThat(List.of(started, lost, refused))
          .as("the faults do something")
          .allSatisfy(count -> assertThat(count).isGreaterThan(SEEDS));
      assertThat(unread).as("a host cannot read some arguments").isGreaterThan(SEEDS / 4);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theRulesBreakWithEachFlaw(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new GateRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new GateRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void aRunThatWasReportedLostNeverStartsInManyWorlds() {
    assertThat(Worlds.playMany(10_000, this::play)).isPositive();
    assertThat(started).isPositive();
  }
}
