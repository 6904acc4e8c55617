package io.callboard.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/**
 * Several commits under way, against a server that delays and loses replies, applies requests of an
 * abandoned connection late, and refuses units: each unit is committed exactly once and in order,
 * or failed once. Without any one of the guards some world shows the damage.
 */
class PipelineTest {
  private static final int WORLDS = Integer.getInteger("rehearsal.pipelines", 20_000);

  @Test
  void neverLosesRepeatsOrReordersAUnit() {
    for (long seed = 0; seed < WORLDS; seed++) {
      new PipelineWorld(seed, PipelineWorld.Guards.ALL).run();
    }
  }

  @Test
  void withoutANewIncarnationALateCommitIsAppliedTwice() {
    breaks(new PipelineWorld.Guards(false, true));
  }

  @Test
  void withoutTheChainACommitOvertakesTheOneBeforeIt() {
    breaks(new PipelineWorld.Guards(true, false));
  }

  private static void breaks(PipelineWorld.Guards guards) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < WORLDS; seed++) {
                new PipelineWorld(seed, guards).run();
              }
            })
        .isInstanceOfAny(AssertionError.class, IllegalStateException.class);
    assertThat(WORLDS).isPositive();
  }
}
