package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each transition of a brake, and what holds for all of them. */
class BrakeMachineTest {
  private Instant now = Instant.parse("2026-11-25T18:00:00Z");
  private final BrakeMachine brake = new BrakeMachine(BrakeState.off("d", now), now);
  private int running = 100;

  private boolean window(int succeeded, int failed) {
    brake.ended(succeeded, failed);
    assertThat(brake.tick(running, running, 1, now)).isFalse();
    now = now.plus(BrakeMachine.WINDOW);
    return brake.tick(running, running, 1, now);
  }

  private void open() {
    for (int i = 0; i < BrakeMachine.BAD_WINDOWS; i++) {
      assertThat(window(0, 20)).isTrue();
    }
    assertThat(brake.state().level()).isEqualTo(BrakeLevel.OPEN);
  }

  @Test
  void aBadWindowHalvesTheCredit() {
    assertThat(window(9, 11)).isTrue();
    assertThat(brake.state().level()).isEqualTo(BrakeLevel.REDUCED);
    assertThat(brake.state().inForce()).isEqualTo(50);
    assertThat(brake.state().cause())
        .isEqualTo(
            "11 of 20 instances that ended from 2026-11-25T18:00:00Z to 2026-11-25T18:01:00Z failed");
    assertThat(brake.state().changes()).hasSize(1);
    assertThat(brake.free(20, now)).isEqualTo(30);
    assertThat(brake.free(70, now)).isZero();
  }

  @Test
  void aBrakeIsOnWhileACreditIsInForceWhoeverSetIt() {
    assertThat(brake.state().braked()).isFalse();
    assertThat(window(9, 11)).isTrue();
    assertThat(brake.state().braked()).isTrue();
    BrakeState off = BrakeState.off("d", now);
    BrakeState held = off.overridden(new BrakeOverride(0, "ada", "deploy", now), "by ada", now);
    assertThat(held.level()).isEqualTo(BrakeLevel.OFF);
    assertThat(held.braked()).isTrue();
    assertThat(held.changes().get(0).credit()).isZero();
    BrakeOverride free = new BrakeOverride(null, "ada", "go", now);
    assertThat(held.overridden(free, "by ada", now).braked()).isFalse();
    assertThat(held.overridden(null, "released", now).braked()).isFalse();
  }

  @Test
  void aWindowIsNotBadIfHalfFailedOrFewEnded() {
    assertThat(window(10, 10)).isFalse();
    assertThat(window(0, 19)).isFalse();
    assertThat(brake.free(1_000, now)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void fiveBadWindowsOpenTheBrakeAndAProbeMayBeginEveryHalfMinute() {
    open();
    assertThat(brake.state().bad()).isEqualTo(5);
    assertThat(brake.free(0, now)).isZero();
    now = now.plus(BrakeMachine.PROBE_EVERY);
    assertThat(brake.free(0, now)).isEqualTo(1);
    brake.granted(now);
    assertThat(brake.free(0, now)).isZero();
    assertThat(brake.nextProbe()).isEqualTo(now.plus(BrakeMachine.PROBE_EVERY));
    now = now.plus(BrakeMachine.PROBE_EVERY);
    assertThat(brake.free(1, now)).isEqualTo(1);
    assertThat(brake.free(BrakeMachine.MOST_PROBES, now)).isZero();
  }

  @Test
  void aFailedProbeLeavesTheBrakeOpenAndASuccessfulOneGivesCreditAgain() {
    open();
    assertThat(window(0, 1)).isFalse();
    assertThat(brake.state().level()).isEqualTo(BrakeLevel.OPEN);
    assertThat(window(1, 0)).isTrue();
    assertThat(brake.state().level()).isEqualTo(BrakeLevel.REDUCED);
    assertThat(brake.state().inForce()).isEqualTo(BrakeMachine.PROBE);
    assertThat(brake.state().bad()).isZero();
  }

  @Test
  void goodWindowsAddATenthUntilTheBrakeIsOff() {
    assertThat(window(0, 20)).isTrue();
    int windows = 0;
    int before = 50;
    while (brake.state().level() != BrakeLevel.OFF) {
      assertThat(window(3, 1)).isTrue();
      windows++;
      if (brake.state().level() == BrakeLevel.REDUCED) {
        assertThat(brake.state().credit()).isEqualTo(before + 10);
        before += 10;
      }
    }
    assertThat(windows).isEqualTo(5);
  }

  @Test
  void aWindowInWhichNothingRanOrWaitedIsGoodUnlessItIsOpen() {
    assertThat(window(0, 20)).isTrue();
    running = 0;
    now = now.plus(BrakeMachine.WINDOW);
    assertThat(brake.tick(0, 0, 0, now)).isTrue();
    assertThat(brake.state().credit()).isEqualTo(60);
    now = now.plus(BrakeMachine.WINDOW);
    assertThat(brake.tick(0, 0, 1, now)).as("one waits: nothing is known").isFalse();
    running = 10;
    for (int i = 0; i < 5; i++) {
      assertThat(window(0, 20)).isTrue();
    }
    now = now.plus(BrakeMachine.WINDOW);
    assertThat(brake.tick(0, 0, 0, now)).isFalse();
    assertThat(brake.state().level()).isEqualTo(BrakeLevel.OPEN);
  }

  @Test
  void anOverrideGoesBeforeTheMeasurementsAndWhenItGoesTheyBeginAnew() {
    brake.override(new BrakeOverride(3, "ann", null, now), now);
    assertThat(brake.free(1, now)).isEqualTo(2);
    assertThat(window(0, 100)).isFalse();
    assertThat(brake.state().cause()).isEqualTo("ann has set a credit of 3");
    brake.override(new BrakeOverride(null, "ann", null, now), now);
    assertThat(brake.free(1, now)).isEqualTo(Integer.MAX_VALUE);
    brake.override(null, now);
    assertThat(brake.state().isDefault()).isTrue();
    assertThat(brake.state().changes()).hasSize(3);
    assertThat(window(0, 20)).isTrue();
    assertThatThrownBy(() -> new BrakeOverride(-1, "ann", null, now))
        .hasMessage("the credit is 0 to 1,000,000, not -1");
  }

  @Test
  void theCreditNeverFallsBelowAProbeAndComesBackWhenFailuresStop() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BrakeMachine its = new BrakeMachine(BrakeState.off("d", now), now);
      Instant at = now;
      for (int i = 0; i < 200; i++) {
        at = at.plus(Duration.ofSeconds(random.nextInt(40)));
        its.ended(random.nextInt(40), random.nextInt(60));
        int changes = its.state().changes().size();
        boolean changed = its.tick(random.nextInt(500), 3, random.nextInt(2), at);
        assertThat(changed && changes < BrakeState.MOST_CHANGES)
            .isEqualTo(its.state().changes().size() > changes);
        Integer credit = its.state().inForce();
        assertThat(credit == null ? 1 : credit).as("seed %d", seed).isGreaterThanOrEqualTo(1);
        assertThat(its.free(random.nextInt(600), at)).isGreaterThanOrEqualTo(0);
      }
      int windows = 0;
      while (its.state().level() != BrakeLevel.OFF) {
        at = at.plus(BrakeMachine.WINDOW);
        its.ended(windows == 0 ? 60_000 : 1, 0); // the first one outweighs what was left
        boolean unused = its.tick(1, 1, 1, at);
        assertThat(++windows).as("seed %d: %s", seed, its.state()).isLessThan(25);
      }
    }
  }
}
