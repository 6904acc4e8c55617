package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Trees of failure zones under seeded faults: after quiet each is what its specification says. Each
 * build, by its number in {@code tests.seed}, plays others; {@code -Dzones.seed=N} plays from that
 * one on.
 */
class FailureZoneRehearsalTest {
  private static final int WORLDS = Integer.getInteger("zones.worlds", 60);
  private static final long BUILD = Long.getLong("tests.seed", 0);
  private static final long SEED = Long.getLong("zones.seed", BUILD * WORLDS);
  private static final int FAULTS = 200;

  /** Faults of a large tree, of which many more are played at night. */
  private static final int FAULTS_OF_LARGE = 5_000;

  private long faults;
  private long escalations;
  private long rests;
  private long returns;
  private long forces;
  private long moves;

  @Test
  void aTreeIsWhatItsSpecificationSays() {
    playDeep(SEED, WORLDS);
  }

  @Test
  @Tag("nightly")
  void manyTreesAre() {
    playDeep(Long.getLong("zones.seed", 0), Integer.getInteger("zones.worlds", 5_000));
  }

  @Test
  void aLargeTreeIs() {
    playWide(SEED, FAULTS_OF_LARGE);
  }

  @Test
  @Tag("nightly")
  void aLargeTreeIsAfterManyFaults() {
    playWide(SEED, Integer.getInteger("zones.faults", 100_000));
  }

  private void playDeep(long first, int worlds) {
    for (long seed = first; seed < first + worlds; seed++) {
      play("deep", seed, FailureZoneWorld.deep(seed), FAULTS);
    }
    report(worlds + " trees of three levels");
    assertThat(escalations).isPositive();
    assertThat(rests).isPositive();
    assertThat(returns).isPositive();
    assertThat(forces).isPositive();
    assertThat(moves).isPositive();
  }

  private void playWide(long seed, int count) {
    play("wide", seed, FailureZoneWorld.wide(seed, 100, 100), count);
    report("10,000 actors in 100 zones");
  }

  private void play(String name, long seed, FailureZoneWorld world, int count) {
    try {
      world.play(count);
      world.quiet();
      assertThat(world.leaves).allMatch(leaf -> leaf.up);
      assertThat(world.branches).allMatch(branch -> branch.up);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s world %d (-Dzones.seed=%d plays it first)".formatted(name, seed, seed), e);
    }
    faults += world.faults;
    escalations += world.escalations;
    rests += world.rests;
    returns += world.returns;
    forces += world.forces;
    moves += world.moves;
  }

  private void report(String what) {
    System.err.printf(
        "rehearsal of failure zones: %s, %d faults, %d escalations, %d rests,"
            + " %d ended and came back, %d stops forced, %d moved to another node%n",
        what, faults, escalations, rests, returns, forces, moves);
  }
}
