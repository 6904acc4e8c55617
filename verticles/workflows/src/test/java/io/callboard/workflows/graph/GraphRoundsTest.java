package io.callboard.workflows.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import io.callboard.workflows.graph.GraphRounds.Flaw;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sequences of cancellations, retries and runs from a step over many seeds; {@code
 * -Dcallboard.rehearsal.seed=17} plays that world alone, the nightly form {@code
 * -Dcallboard.rehearsal.worlds=1000000}, from that seed on.
 */
class GraphRoundsTest {
  private static final int WORLDS = 2_000;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 500;

  private static final Map<Flaw, Witness> WITNESSES =
      Map.of(
          Flaw.KEEPS_WHAT_SUCCEEDED, new Witness(11, "B2|E1"),
          Flaw.LEAVES_CANCELLED, new Witness(3, "E1"));

  private int retried;
  private int rerun;

  private void play(long seed) {
    GraphRounds world = new GraphRounds(seed, Flaw.NONE);
    world.play();
    retried += world.retried;
    rerun += world.rerun;
  }

  @Test
  void eachRoundEndsAsTheRuleSaysAndNoStepBeginsBeforeWhatItFollows() {
    if (Worlds.play(WORLDS, this::play) > 1) {
      assertThat(retried).as("retries").isGreaterThan(WORLDS);
      assertThat(rerun).as("runs from a step").isGreaterThan(WORLDS);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachFlawIsCaught(Flaw flaw) {
    WITNESSES.get(flaw).isCaught(seed -> new GraphRounds(seed, flaw).play());
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw flaw) {
    WITNESSES.get(flaw).isFirst(FLAWED, seed -> new GraphRounds(seed, flaw).play());
  }

  @Test
  @Tag("nightly")
  void eachRoundEndsAsTheRuleSaysInManyWorlds() {
    assertThat(Worlds.playMany(100_000, this::play)).isPositive();
  }
}
