package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.placement.RehearsedGrid.RehearsedNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several nodes decide for themselves; together they spread the roles and leave them there. {@code
 * -Dplacement.seed=17} plays from that world on; else each build, by its number in {@code
 * tests.seed}, plays others.
 */
class RoleBalanceRehearsalTest {
  private static final int WORLDS = Integer.getInteger("placement.worlds", 3);
  private static final int ROLES = 9;
  private static final long DWELL = RoleBalance.DWELL_NANOS;

  /** Time for every role to move twice, one at a time. */
  private static final long QUIET_NS = 2 * DWELL + 4 * ROLES * RoleBalance.PAUSE_NANOS;

  private static RehearsedGrid grid(long seed) {
    return grid(seed, ROLES);
  }

  private static RehearsedGrid grid(long seed, int count) {
    Set<String> roles = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      roles.add("role-" + i);
    }
    return new RehearsedGrid(seed, roles);
  }

  private static RehearsedGrid three(long seed) {
    RehearsedGrid grid = grid(seed);
    for (int i = 0; i < 3; i++) {
      grid.join("node-" + i, 1, "machine-" + i).look();
    }
    grid.settle(QUIET_NS);
    return grid;
  }

  private static void isEven(RehearsedGrid grid, String when) {
    assertThat(grid.roles().values().stream().mapToInt(Integer::intValue).sum())
        .as("%s, roles that are held", when)
        .isEqualTo(ROLES);
    for (String some : grid.roles().keySet()) {
      for (String other : grid.roles().keySet()) {
        double here = grid.roles().get(some);
        double there = grid.roles().get(other);
        double gain = (2 * here - 1) / grid.node(some).weight;
        assertThat(gain - (2 * there + 1) / grid.node(other).weight)
            .as("%s, what a move from %s to %s of %s would gain", when, some, other, grid.roles())
            .isLessThanOrEqualTo(1e-9);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void rolesThatOneNodeBeganWithAreSpread(long seed) {
    RehearsedGrid grid = grid(seed);
    grid.join("node-0", 1, "machine-0");
    grid.settle(DWELL);
    grid.join("node-1", 1, "machine-1");
    grid.join("node-2", 1, "machine-2");
    grid.settle(DWELL / 2);
    assertThat(grid.roles().get("node-0")).as("nothing moves before a while").isEqualTo(ROLES);
    grid.settle(QUIET_NS);
    assertThat(grid.roles().values()).containsOnly(3);
    assertThat(grid.moves("role")).as("each was taken once, and six moved").isEqualTo(ROLES + 6);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void rolesMoveBackWhenTheirNodeReturned(long seed) {
    RehearsedGrid grid = three(seed);
    grid.kill("node-1");
    grid.suspect("node-1", Optional.of(VacancyReason.PROCESS_GONE));
    grid.settle(2 * DWELL);
    isEven(grid, "while it is away");
    int moves = grid.moves("role");
    grid.join("node-1", 1, "machine-1").look();
    grid.settle(QUIET_NS);
    assertThat(grid.roles().values()).containsOnly(3);
    assertThat(grid.moves("role") - moves).as("no more than it takes").isEqualTo(3);
  }

  /** All others could give the newcomer one; they wait for the first that does. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void notAllGiveToTheSameNodeAtOnce(long seed) {
    RehearsedGrid grid = grid(seed, 8);
    for (int i = 0; i < 4; i++) {
      grid.join("node-" + i, 1, "machine-" + i).look();
    }
    grid.settle(QUIET_NS);
    assertThat(grid.roles().values()).containsOnly(2);
    int moves = grid.moves("role");
    grid.join("newcomer", 1, "machine-4");
    grid.settle(QUIET_NS);
    assertThat(grid.roles()).containsEntry("newcomer", 1);
    assertThat(grid.moves("role") - moves).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void weightsCount(long seed) {
    RehearsedGrid grid = grid(seed);
    grid.join("node-0", 1, "machine-0");
    grid.join("node-1", 2, "machine-1");
    grid.settle(QUIET_NS);
    assertThat(grid.roles()).containsEntry("node-0", 3).containsEntry("node-1", 6);
  }

  /** A node that comes and goes all the time gets nothing, and takes nothing from the others. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aNodeThatFlapsMovesNothing(long seed) {
    RehearsedGrid grid = three(seed);
    int moves = grid.moves("role");
    for (int i = 0; i < 10; i++) {
      grid.join("flaps", 1, "machine-3").look();
      grid.settle(DWELL / 2);
      grid.kill("flaps");
      grid.suspect("flaps", Optional.of(VacancyReason.PROCESS_GONE));
      grid.settle(DWELL / 2);
    }
    assertThat(grid.moves("role")).isEqualTo(moves);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void theStandbyOnAnotherMachineTakesOver(long seed) {
    RehearsedGrid grid = grid(seed);
    grid.join("a-1", 1, "a");
    grid.join("a-2", 1, "a");
    grid.join("b-1", 1, "b");
    grid.settle(QUIET_NS);
    isEven(grid, "at first");
    Map<Partition, String> before = grid.holders();
    grid.kill("a-1");
    grid.settle(4 * Claims.SETTLED_NANOS);
    Map<Partition, String> after = grid.holders();
    before.forEach(
        (role, holder) ->
            assertThat(after.get(role))
                .as("%s, which %s held", role, holder)
                .isEqualTo(holder.equals("a-1") ? "b-1" : holder));
  }

  /** Nodes of an older version neither give roles away for balance nor read whom one is for. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void besideOlderNodesNothingMovesUntilTheLastIsReplaced(long seed) {
    RehearsedGrid grid = grid(seed);
    grid.join("node-0", 1).look();
    grid.settle(DWELL);
    grid.join("node-1", 1, "machine-1").look();
    grid.join("node-2", 1, "machine-2").look();
    grid.settle(2 * DWELL);
    assertThat(grid.roles().get("node-0")).isEqualTo(ROLES);
    RehearsedNode old = grid.node("node-0");
    old.draining = true;
    old.claims.drain(true);
    grid.settle(DWELL);
    assertThat(grid.roles().get("node-0")).isZero();
    assertThat(grid.owners().values()).doesNotContain(old.boot);
    grid.kill("node-0");
    grid.join("node-0", 1, "machine-0").look();
    grid.settle(QUIET_NS);
    isEven(grid, "when all know of it");
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(longs = {3, 4, 5, 6, 7, 8, 9, 10})
  void allOfThisHoldsWithOtherSeeds(long seed) {
    rolesThatOneNodeBeganWithAreSpread(seed);
    rolesMoveBackWhenTheirNodeReturned(seed);
    notAllGiveToTheSameNodeAtOnce(seed);
    weightsCount(seed);
    aNodeThatFlapsMovesNothing(seed);
    theStandbyOnAnotherMachineTakesOver(seed);
    besideOlderNodesNothingMovesUntilTheLastIsReplaced(seed);
  }

  @Test
  void rolesAreSpreadAndStayWhereTheyAreWhateverHappens() {
    play(Long.getLong("placement.seed", Long.getLong("tests.seed", 0) * WORLDS), WORLDS);
  }

  @Test
  @Tag("nightly")
  void theRolesAreSpreadInManyWorlds() {
    play(Long.getLong("placement.seed", 0), Integer.getInteger("placement.worlds", 300));
  }

  private static void play(long first, int worlds) {
    for (long seed = first; seed < first + worlds; seed++) {
      RehearsedGrid grid = grid(seed);
      SplittableRandom random = grid.random();
      grid.join("node-0", 1, "machine-0").look();
      for (int round = 0; round < 8; round++) {
        int steps = random.nextInt(400);
        for (int i = 0; i < steps; i++) {
          grid.step(false);
        }
        happen(grid, random, round);
      }
      grid.nodesThatDrainTakeTheirShareAgain();
      int before = grid.moves("role");
      grid.settle(QUIET_NS);
      isEven(grid, "seed " + seed);
      int moves = grid.moves("role");
      assertThat(moves - before).as("seed %d, moves until it was even", seed).isLessThan(2 * ROLES);
      grid.settle(2 * DWELL);
      assertThat(grid.moves("role")).as("seed %d, nothing moves any more", seed).isEqualTo(moves);
    }
  }

  private static void happen(RehearsedGrid grid, SplittableRandom random, int round) {
    List<String> live = grid.live();
    String some = live.get(random.nextInt(live.size()));
    switch (random.nextInt(4)) {
      case 0, 1 ->
          grid.join("node-" + (round + 1), 1 + random.nextInt(2), "machine-" + random.nextInt(3))
              .look();
      case 2 -> {
        if (live.size() > 1) {
          grid.kill(some);
        }
      }
      default -> {
        if (live.size() > 1) {
          grid.node(some).draining = !grid.node(some).draining;
          grid.node(some).claims.drain(grid.node(some).draining);
        }
      }
    }
  }
}
