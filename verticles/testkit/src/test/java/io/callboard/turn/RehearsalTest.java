package io.callboard.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/**
 * Promises 1 to 4 rehearsed in seeded worlds: nothing accepted is lost, nothing is handled twice or
 * out of order, whatever the network, the hosts and their owners do. {@code -Drehearsal.worlds=N}
 * runs more of them, {@code -Drehearsal.seed=N} one; without a guard some world shows the damage.
 */
class RehearsalTest {
  private static final int WORLDS = Integer.getInteger("rehearsal.worlds", 1_500);
  private static final long SEED = Long.getLong("rehearsal.seed", -1);

  @Test
  void nothingIsLostDoubledOrReordered() {
    long handled = 0;
    long first = Math.max(0, SEED);
    for (long seed = first; seed < (SEED < 0 ? WORLDS : SEED + 1); seed++) {
      handled += new World(seed, Guards.ALL).run();
    }
    System.out.printf("rehearsal: %d worlds, %d messages%n", SEED < 0 ? WORLDS : 1, handled);
    assertThat(handled).isPositive();
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
