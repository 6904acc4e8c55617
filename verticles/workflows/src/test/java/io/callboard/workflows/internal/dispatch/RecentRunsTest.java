package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.protocol.StepRunKey;
import org.junit.jupiter.api.Test;

class RecentRunsTest {
  private final RecentRuns recent = new RecentRuns(2);

  private static StepRunKey run(String step, int run) {
    return new StepRunKey("instance", step, run);
  }

  @Test
  void aRunThatIsOverStandsForAllEarlierOnesOfItsStep() {
    recent.add(run("a", 3));
    recent.add(run("a", 2));
    assertThat(recent.contains(run("a", 1))).isTrue();
    assertThat(recent.contains(run("a", 3))).isTrue();
    assertThat(recent.contains(run("a", 4))).isFalse();
    assertThat(recent.contains(run("b", 1))).isFalse();
  }

  @Test
  void theStepWithTheOldestLastEndIsForgotten() {
    recent.add(run("a", 1));
    recent.add(run("b", 1));
    recent.add(run("a", 2));
    recent.add(run("c", 1));
    assertThat(recent.contains(run("b", 1))).isFalse();
    assertThat(recent.contains(run("a", 1))).isTrue();
    assertThat(recent.contains(run("c", 1))).isTrue();
  }
}
