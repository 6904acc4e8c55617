package io.callboard.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.internal.world.Worlds;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of the workflow engine over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class WorkflowsRehearsalTest {
  private static final int WORLDS = 25;

  /** Seeds of worlds in which all deeds happened when they were looked for last. */
  private static final long[] SHOWN = {116, 58, 55};

  /** Worlds in which each deed happens, also the rarest. */
  private static final int MOST = 1_000;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 800;

  private final Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);

  private void play(long seed) {
    WorkflowsRehearsal rehearsal = new WorkflowsRehearsal(seed, RehearsedFlaw.NONE);
    rehearsal.play();
    rehearsal
        .world()
        .history()
        .deeds()
        .forEach((deed, count) -> deeds.merge(deed, count, Integer::sum));
  }

  private boolean allHappened() {
    return deeds.size() == RehearsedDeed.values().length;
  }

  @Test
  void theRulesHold() {
    assertThat(Worlds.play(WORLDS, this::play)).isPositive();
  }

  @Test
  void everyKindOfEventHappens() {
    LongStream.concat(LongStream.of(SHOWN), LongStream.range(0, MOST))
        .takeWhile(seed -> !allHappened())
        .forEach(this::play);
    assertThat(deeds).as("deeds that happened").containsOnlyKeys(RehearsedDeed.values());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(RehearsedFlaw flaw) {
    flaw.witness().isCaught(seed -> new WorkflowsRehearsal(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(RehearsedFlaw flaw) {
    flaw.witness().isFirst(FLAWED, seed -> new WorkflowsRehearsal(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void theRulesHoldInManyWorlds() {
    long began = System.nanoTime();
    long worlds = Worlds.playMany(5_000, this::play);
    System.out.printf(
        "%d worlds in %d s: %s%n", worlds, (System.nanoTime() - began) / 1_000_000_000, deeds);
    assertThat(deeds).as("deeds that happened").containsOnlyKeys(RehearsedDeed.values());
  }
}
