package io.callboard.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of the workflow engine over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * long form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that seed on.
 */
class WorkflowsRehearsalTest {
  private static final int WORLDS = 200;

  /** A flaw shows in few of them. */
  private static final int FLAWED = 4 * WORLDS;

  /** Plays worlds, and asserts that each deed happens in some of them. */
  private static void play(long from, long to) {
    Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);
    long began = System.nanoTime();
    for (long seed = from; seed < to; seed++) {
      WorkflowsRehearsal rehearsal = new WorkflowsRehearsal(seed, RehearsedFlaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d (-Dcallboard.rehearsal.seed=%d plays it alone): %s"
                .formatted(seed, seed, e.getMessage()),
            e);
      }
      rehearsal
          .world()
          .history()
          .deeds()
          .forEach((deed, count) -> deeds.merge(deed, count, Integer::sum));
    }
    if (to - from > WORLDS) {
      System.out.printf(
          "%d worlds in %d s: %s%n", to - from, (System.nanoTime() - began) / 1_000_000_000, deeds);
    }
    if (to - from > 1) {
      assertThat(deeds).as("deeds that happened").containsOnlyKeys(RehearsedDeed.values());
    }
  }

  @Test
  void theRulesHoldAndEachDeedHappens() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    if (only == null) {
      play(0, WORLDS);
    } else {
      play(only, only + 1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(RehearsedFlaw flaw) {
    List<String> broken = new ArrayList<>();
    boolean caught = false;
    for (long seed = 0; seed < FLAWED && !caught; seed++) {
      try {
        new WorkflowsRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        broken.add(line);
        caught = flaw.isShownBy(line);
      }
    }
    assertThat(caught).as("a rule of %s is broken; instead: %s", flaw.breaks(), broken).isTrue();
  }

  @Test
  @Tag("long")
  void theRulesHoldInManyWorlds() {
    long from = Long.getLong("callboard.rehearsal.seed", 0);
    play(from, from + Long.getLong("callboard.rehearsal.worlds", 5_000));
  }
}
