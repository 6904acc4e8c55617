package io.callboard.internal.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.DeliveryMode;
import org.junit.jupiter.api.Test;

/**
 * Promises 1 to 4 rehearsed in seeded worlds: nothing accepted is lost, nothing is handled twice or
 * out of order, whatever the network, the hosts and their owners do. {@code -Drehearsal.worlds=N}
 * runs more of them, {@code -Drehearsal.seed=N} that one, or with both so many from that one on;
 * without a guard some world shows the damage.
 */
class RehearsalTest {
  private static final int WORLDS = Integer.getInteger("rehearsal.worlds", 600);
  private static final long SEED = Long.getLong("rehearsal.seed", -1);
  private static final int COUNT =
      SEED >= 0 && Integer.getInteger("rehearsal.worlds") == null ? 1 : WORLDS;

  @Test
  void nothingIsLostDoubledOrReordered() {
    long handled = 0;
    long pushed = 0;
    long aside = 0;
    long timers = 0;
    long direct = 0;
    long takenBack = 0;
    long delivered = 0;
    long parked = 0;
    long first = Math.max(0, SEED);
    for (long seed = first; seed < first + COUNT; seed++) {
      World world = new World(seed, Guards.ALL);
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
        COUNT, handled, pushed, aside, timers, direct, takenBack, delivered, parked);
    assertThat(handled).isPositive();
    assertThat(delivered).isGreaterThanOrEqualTo(COUNT > 50 ? 1 : 0);
    assertThat(parked).isGreaterThanOrEqualTo(COUNT > 50 ? 1 : 0);
    assertThat(takenBack).isGreaterThanOrEqualTo(COUNT > 500 ? 1 : 0);
    assertThat(direct).isGreaterThanOrEqualTo(COUNT > 50 ? 1 : 0);
    assertThat(pushed).isGreaterThanOrEqualTo(COUNT > 1 ? 1 : 0);
    assertThat(timers).isGreaterThanOrEqualTo(COUNT > 50 ? 1 : 0);
    assertThat(aside).isGreaterThanOrEqualTo(COUNT > 50 ? 1 : 0);
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
    int worlds = WORLDS / 3;
    Seen sum = new Seen(0, 0, 0);
    for (long seed = 0; seed < worlds; seed++) {
      World world = new World(seed, Guards.ALL, mode, promise);
      assertThat(world.run()).isPositive();
      sum =
          new Seen(
              sum.handled() + world.witness().handled(),
              sum.repeated() + world.witness().repeated(),
              sum.skipped() + world.witness().skipped());
    }
    System.out.printf("rehearsal of %s: %d worlds, %s%n", mode.key(), worlds, sum);
    return sum;
  }

  @Test
  void theSameSeedIsTheSameWorld() {
    assertThat(new World(7, Guards.ALL).run()).isEqualTo(new World(7, Guards.ALL).run());
  }

  @Test
  void withoutIncarnations() {
    damage(new Guards(false, true, true, true, true));
  }

  @Test
  void withoutLeases() {
    damage(new Guards(true, true, false, false, true));
  }

  @Test
  void withoutSweeps() {
    damage(new Guards(true, true, true, true, false));
  }

  private static void damage(Guards guards) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < WORLDS; seed++) {
                long unused = new World(seed, guards).run();
              }
            })
        .isInstanceOf(AssertionError.class);
  }
}
