package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Trees of failure zones under seeded faults: after quiet each is what its specification says. */
class FailureZoneRehearsalTest {
  private static final int WORLDS = Integer.getInteger("zones.worlds", 300);
  private static final int FAULTS = 200;

  /** A million in the long form. */
  private static final int FAULTS_OF_LARGE = Integer.getInteger("zones.faults", 20_000);

  private long faults;
  private long escalations;
  private long rests;
  private long returns;
  private long forces;
  private long moves;

  @Test
  void aTreeIsWhatItsSpecificationSays() {
    for (long seed = 1; seed <= WORLDS; seed++) {
      play("deep " + seed, FailureZoneWorld.deep(seed), FAULTS);
    }
    report(WORLDS + " trees of three levels");
    assertThat(escalations).isPositive();
    assertThat(rests).isPositive();
    assertThat(returns).isPositive();
    assertThat(forces).isPositive();
    assertThat(moves).isPositive();
  }

  @Test
  void aLargeTreeIs() {
    play("wide", FailureZoneWorld.wide(1, 100, 100), FAULTS_OF_LARGE);
    report("10,000 actors in 100 zones");
  }

  private void play(String name, FailureZoneWorld world, int count) {
    try {
      world.play(count);
      world.quiet();
      assertThat(world.leaves).allMatch(leaf -> leaf.up);
      assertThat(world.branches).allMatch(branch -> branch.up);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("world " + name, e);
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
