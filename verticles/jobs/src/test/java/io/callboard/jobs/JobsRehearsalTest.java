package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.JobsWorld.Flaw;
import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of the job scheduler over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class JobsRehearsalTest {
  private static final int WORLDS = 60;

  /** Worlds in which each row and each deed happens; the rarest does in one of a hundred. */
  private static final int MOST = 1_500;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 300;

  /**
   * Each flaw shows in what the processes do, not only in what is left at the end; a slot that is
   * lost shows there.
   */
  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.HANDLE_AFTER_START, new Witness(10, "I[12]: "),
          Flaw.SILENCE_FREES, new Witness(44, "I[12]: "),
          Flaw.COUNTED_SLOTS, new Witness(0, "I[12]: "),
          Flaw.LOST_RELEASE, new Witness(0, "I5: "));

  private final Map<Reconciliation, Integer> rows = new EnumMap<>(Reconciliation.class);
  private final Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);

  private void play(long seed) {
    JobsRehearsal rehearsal = new JobsRehearsal(seed, Flaw.NONE);
    rehearsal.play();
    rehearsal.world().rows().forEach((row, count) -> rows.merge(row, count, Integer::sum));
    rehearsal
        .world()
        .history()
        .deeds()
        .forEach((deed, count) -> deeds.merge(deed, count, Integer::sum));
  }

  private boolean allHappened() {
    return rows.size() == Reconciliation.values().length
        && deeds.size() == RehearsedDeed.values().length;
  }

  private void eachHappened() {
    assertThat(rows).as("rows that happened").containsOnlyKeys(Reconciliation.values());
    assertThat(deeds).as("deeds that happened").containsOnlyKeys(RehearsedDeed.values());
  }

  @Test
  void theInvariantsHoldAndEachRowOfReconciliationHappens() {
    if (Worlds.play(WORLDS, MOST, this::allHappened, this::play) > 1) {
      eachHappened();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new JobsRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new JobsRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void theInvariantsHoldInManyWorlds() {
    System.out.printf("%d worlds: %s, %s%n", Worlds.playMany(5_000, this::play), rows, deeds);
    eachHappened();
  }
}
