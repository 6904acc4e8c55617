package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.JobsWorld.Flaw;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rehearsal of the job scheduler over many seeds. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone, with {@code -Dcallboard.rehearsal.story=100000} for all that happens in it; the
 * long form plays {@code -Dcallboard.rehearsal.worlds=100000}.
 */
class JobsRehearsalTest {
  private static final int WORLDS = 300;

  /** Plays worlds, and asserts that each row and each deed happens in some of them. */
  private static void play(long from, long to) {
    Map<Reconciliation, Integer> rows = new EnumMap<>(Reconciliation.class);
    Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);
    for (long seed = from; seed < to; seed++) {
      JobsRehearsal rehearsal = new JobsRehearsal(seed, Flaw.NONE);
      try {
        rehearsal.play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      rehearsal.world().rows().forEach((row, count) -> rows.merge(row, count, Integer::sum));
      rehearsal
          .world()
          .history()
          .deeds()
          .forEach((deed, count) -> deeds.merge(deed, count, Integer::sum));
    }
    if (to - from > WORLDS) {
      System.out.printf("%d worlds: %s, %s%n", to - from, rows, deeds);
    }
    if (to - from > 1) {
      assertThat(rows).as("rows that happened").containsOnlyKeys(Reconciliation.values());
      assertThat(deeds).as("deeds that happened").containsOnlyKeys(RehearsedDeed.values());
    }
  }

  @Test
  void theInvariantsHoldAndEachRowOfReconciliationHappens() {
    Long only = Long.getLong("callboard.rehearsal.seed");
    if (only == null) {
      play(0, WORLDS);
    } else {
      play(only, only + 1);
    }
  }

  /**
   * Each flaw shows in what the processes do, not only in what is left at the end; a slot that is
   * lost shows there.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    List<String> broken = new ArrayList<>();
    boolean caught = false;
    for (long seed = 0; seed < WORLDS && !caught; seed++) {
      try {
        new JobsRehearsal(seed, flaw).play();
      } catch (AssertionError e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        broken.add(line);
        caught =
            Pattern.compile(flaw == Flaw.LOST_RELEASE ? "I5: " : "I[12]: ")
                .matcher(line)
                .lookingAt();
      }
    }
    assertThat(caught)
        .as("more processes are alive than may be, or a slot is lost; instead: %s", broken)
        .isTrue();
  }

  @Test
  @Tag("long")
  void theInvariantsHoldInManyWorlds() {
    long worlds = Long.getLong("callboard.rehearsal.worlds", 5_000);
    play(0, worlds);
  }
}
