package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.placement.RehearsedGrid.RehearsedNode;
import io.callboard.store.Lease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several nodes decide for themselves; together they keep what the package promises. {@code
 * -Dplacement.seed=17} plays from that world on; else each build, by its number in {@code
 * tests.seed}, plays others.
 */
class ClaimsRehearsalTest {
  private static final int WORLDS = Integer.getInteger("placement.worlds", 40);
  private static final long QUIET_NS = 30_000_000_000L;

  private static void isSettled(RehearsedGrid grid, String when) {
    for (int i = 0; i < RehearsedGrid.PARTITIONS; i++) {
      Partition partition = new Partition("s", i);
      assertThat(grid.lease(partition).map(Lease::ownerBoot))
          .as("%s, the owner of %s", when, partition)
          .contains(grid.first(partition));
    }
    Lease role = grid.lease(RehearsedGrid.ROLE).orElseThrow();
    assertThat(grid.live().stream().map(name -> grid.node(name).boot))
        .as("%s, the holder of the role", when)
        .contains(role.ownerBoot());
  }

  @Test
  void everyPartitionFindsItsOwnerWhateverHappens() {
    play(Long.getLong("placement.seed", Long.getLong("tests.seed", 0) * WORLDS), WORLDS);
  }

  @Test
  @Tag("nightly")
  void everyPartitionFindsItsOwnerInManyWorlds() {
    play(Long.getLong("placement.seed", 0), Integer.getInteger("placement.worlds", 2_000));
  }

  private static void play(long first, int worlds) {
    for (long seed = first; seed < first + worlds; seed++) {
      RehearsedGrid grid = new RehearsedGrid(seed);
      SplittableRandom random = grid.random();
      RehearsedNode node = grid.join("node-0", 1);
      assertThat(node.dead).isFalse();
      for (int round = 0; round < 12; round++) {
        int steps = random.nextInt(80);
        for (int i = 0; i < steps; i++) {
          grid.step(false);
        }
        happen(grid, random, round);
      }
      if (grid.live().stream().allMatch(name -> grid.node(name).draining)) {
        RehearsedNode some = grid.node(grid.live().get(0));
        some.draining = false;
        some.claims.drain(false);
      }
      grid.settle(QUIET_NS);
      isSettled(grid, "seed " + seed);
    }
  }

  private static void happen(RehearsedGrid grid, SplittableRandom random, int round) {
    List<String> live = grid.live();
    String some = live.get(random.nextInt(live.size()));
    switch (random.nextInt(5)) {
      case 0, 1 -> grid.join("node-" + (round + 1), 0.5 + random.nextInt(3)).look();
      case 2 -> {
        if (live.size() > 1) {
          grid.kill(some);
          if (random.nextBoolean()) {
            grid.suspect(some, Optional.of(VacancyReason.PROCESS_GONE));
          }
        }
      }
      case 3 -> { // a false alarm, taken back later
        grid.suspect(some, Optional.of(VacancyReason.SILENT));
        for (int i = 0; i < random.nextInt(20); i++) {
          grid.step(false);
        }
        grid.suspect(some, Optional.empty());
      }
      default -> {
        if (live.size() > 1) {
          grid.node(some).draining = !grid.node(some).draining;
          grid.node(some).claims.drain(grid.node(some).draining);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aNodeThatJoinsTakesItsShareAndNothingElseMoves(long seed) {
    RehearsedGrid grid = new RehearsedGrid(seed);
    for (int i = 0; i < 3; i++) {
      grid.join("node-" + i, 1).look();
    }
    grid.settle(QUIET_NS);
    Map<Partition, String> before = grid.owners();
    int moved = grid.moves("hosted");
    int roles = grid.moves("role");
    RehearsedNode joined = grid.join("node-3", 1);
    grid.settle(QUIET_NS);
    isSettled(grid, "seed " + seed);
    Map<Partition, String> after = grid.owners();
    long its = after.values().stream().filter(joined.boot::equals).count();
    before.forEach(
        (partition, owner) ->
            assertThat(after.get(partition)).as(partition.toString()).isIn(owner, joined.boot));
    assertThat(grid.moves("hosted") - moved).as("each moves once").isEqualTo((int) its);
    assertThat(grid.moves("role")).as("no role moves").isEqualTo(roles);
  }

  /** Each side believes that the other is gone: they do not take everything from each other. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void twoSidesThatDoNotHearEachOtherComeToRest(long seed) {
    RehearsedGrid grid = new RehearsedGrid(seed);
    for (int i = 0; i < 4; i++) {
      grid.join("node-" + i, 1).look();
    }
    grid.settle(QUIET_NS);
    int before = grid.moves("hosted");
    grid.split(true);
    grid.settle(QUIET_NS);
    assertThat(grid.moves("hosted") - before).isLessThan(6 * RehearsedGrid.PARTITIONS);
    int quiet = grid.moves("hosted");
    grid.settle(QUIET_NS);
    assertThat(grid.moves("hosted")).as("nothing moves any more").isEqualTo(quiet);
    grid.split(false);
    grid.settle(QUIET_NS);
    isSettled(grid, "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aNodeThatDrainsLosesAllAndNothingElseMoves(long seed) {
    RehearsedGrid grid = new RehearsedGrid(seed);
    for (int i = 0; i < 4; i++) {
      grid.join("node-" + i, 1).look();
    }
    grid.settle(QUIET_NS);
    Map<Partition, String> before = grid.owners();
    RehearsedNode drained = grid.node("node-" + seed % 4);
    drained.draining = true;
    drained.claims.drain(true);
    grid.settle(QUIET_NS);
    Map<Partition, String> after = grid.owners();
    assertThat(after.values()).doesNotContain(drained.boot);
    before.forEach(
        (partition, owner) -> {
          if (!owner.equals(drained.boot)) {
            assertThat(after.get(partition)).as(partition.toString()).isEqualTo(owner);
          }
        });
  }
}
