package io.callboard.internal.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.DeliveryMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promises 1 to 4 rehearsed in seeded worlds: nothing accepted is lost, nothing is handled twice or
 * out of order, whatever the network, the hosts and their owners do. {@code -Drehearsal.seed=N}
 * plays one of them, {@code -Drehearsal.worlds=N} so many, from that one on with both; else each
 * build, by its number in {@code tests.seed}, plays others. Without a guard some world shows the
 * damage.
 */
class RehearsalTest {
  private static final int WORLDS = Integer.getInteger("rehearsal.worlds", 60);

  /** Worlds in which all happens that is rare, and in which each guard is missed. */
  private static final int MOST = Math.max(1_200, WORLDS);

  private static final int OF_A_MODE = 40;
  private static final long BUILD = Long.getLong("tests.seed", 0);
  private static final long SEED = Long.getLong("rehearsal.seed", -1);
  private static final int COUNT =
      SEED >= 0 && Integer.getInteger("rehearsal.worlds") == null ? 1 : WORLDS;

  @Test
  void nothingIsLostDoubledOrReordered() {
    play(SEED >= 0 ? SEED : BUILD * WORLDS, COUNT);
  }

  @Test
  @Tag("nightly")
  void nothingIsLostDoubledOrReorderedInManyWorlds() {
    play(Math.max(0, SEED), Integer.getInteger("rehearsal.worlds", 5_000));
  }

  private static void play(long first, int count) {
    long handled = 0;
    long pushed = 0;
    long aside = 0;
    long timers = 0;
    long direct = 0;
    long takenBack = 0;
    long delivered = 0;
    long parked = 0;
    long seed = first;
    while (seed < first + count || (count > 1 && takenBack == 0 && seed < first + MOST)) {
      World world = new World(seed++, Guards.ALL);
      handled += world.run();
      pushed += world.witness().pushed();
      aside += world.witness().putAside();
      timers += world.timers();
      direct += world.witness().direct();
      takenBack += world.witness().takenBack();
      delivered += world.outside().attempts();
      parked += world.outside().parked();
    }
    System.out.printf(
        "rehearsal: %d worlds, %d messages, %d segments taken from pushes, %d put aside, %d timers, %d direct (%d taken back), %d attempts to deliver, %d parked%n",
        seed - first, handled, pushed, aside, timers, direct, takenBack, delivered, parked);
    assertThat(handled).isPositive();
    if (count > 1) {
      assertThat(takenBack).as("direct messages taken back").isPositive();
      assertThat(delivered).isPositive();
      assertThat(parked).isPositive();
      assertThat(direct).isPositive();
      assertThat(pushed).isPositive();
      assertThat(timers).isPositive();
      assertThat(aside).isPositive();
    }
  }

  /** Durably as exactly-once; a handling may be repeated, never one be missing. */
  @Test
  void atLeastOnceHandlesEverythingInOrder() {
    Seen seen = rehearse(DeliveryMode.AT_LEAST_ONCE, DeliveryMode.AT_LEAST_ONCE);
    assertThat(seen.repeated()).as("crashes between handling and commit").isPositive();
    assertThat(seen.skipped()).isZero();
  }

  @Test
  void atMostOnceHandlesNothingTwiceAndInOrder() {
    Seen seen = rehearse(DeliveryMode.AT_MOST_ONCE, DeliveryMode.AT_MOST_ONCE);
    assertThat(seen.repeated()).isZero();
    assertThat(seen.skipped()).as("crashes between commit and handling").isPositive();
  }

  @Test
  void noModeKeepsThePromiseOfAnother() {
    assertThatThrownBy(() -> rehearse(DeliveryMode.AT_LEAST_ONCE, DeliveryMode.AT_MOST_ONCE))
        .hasMessageContaining("at-most-once");
    assertThatThrownBy(() -> rehearse(DeliveryMode.AT_MOST_ONCE, DeliveryMode.AT_LEAST_ONCE))
        .hasMessageContaining("at-least-once");
  }

  private record Seen(long handled, long repeated, long skipped) {}

  private static Seen rehearse(DeliveryMode mode, DeliveryMode promise) {
    Seen sum = new Seen(0, 0, 0);
    long first = BUILD * OF_A_MODE;
    for (long seed = first; seed < first + OF_A_MODE; seed++) {
      World world = new World(seed, Guards.ALL, mode, promise);
      assertThat(world.run()).isPositive();
      sum =
          new Seen(
              sum.handled() + world.witness().handled(),
              sum.repeated() + world.witness().repeated(),
              sum.skipped() + world.witness().skipped());
    }
    System.out.printf("rehearsal of %s: %d worlds, %s%n", mode.key(), OF_A_MODE, sum);
    return sum;
  }

  @Test
  void theSameSeedIsTheSameWorld() {
    assertThat(new World(7, Guards.ALL).run()).isEqualTo(new World(7, Guards.ALL).run());
  }

  /**
   * Flaw of a world: a part that it lacks, with the first world that this damages and words of the
   * damage.
   */
  private enum Lack {
    OF_INCARNATIONS(5, "", new Guards(false, true, true, true, true)),
    OF_LEASES(2, "", new Guards(true, true, false, false, true)),
    OF_SWEEPS(17, "segments wait", new Guards(true, true, true, true, false));

    private final long witness;
    private final String damage;
    private final Guards guards;

    Lack(long witness, String damage, Guards guards) {
      this.witness = witness;
      this.damage = damage;
      this.guards = guards;
    }

    /** Returns the first world with damage, -1 if there is none. */
    private long firstDamage(long from, long to) {
      for (long seed = from; seed < to; seed++) {
        try {
          long unused = new World(seed, guards).run();
        } catch (AssertionError e) {
          if (e.getMessage().contains(damage)) {
            return seed;
          }
        }
      }
      return -1;
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutAGuardThereIsDamage(Lack lack) {
    assertThat(lack.firstDamage(lack.witness, lack.witness + 5))
        .as(
            "a damaged world; mvn -Dtest='RehearsalTest#eachWitnessIsTheFirst*'"
                + " -Pnightly test names another")
        .isNotNegative();
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource
  void eachWitnessIsTheFirst(Lack lack) {
    assertThat(lack.firstDamage(0, MOST)).as("the witness").isEqualTo(lack.witness);
  }
}
