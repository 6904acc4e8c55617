package io.callboard.workflows.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.starts.DurationCounts;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Histograms of durations. */
class NodeTallyTest {
  private static DurationCounts of(long... millis) {
    long[] counts = new long[DurationCounts.bucket(Duration.ofDays(10_000)) + 1];
    for (long each : millis) {
      counts[DurationCounts.bucket(Duration.ofMillis(each))]++;
    }
    return DurationCounts.of(counts);
  }

  @Test
  void aBucketIsAtMostAnEighthWide() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long millis = random.nextLong(1L << (1 + random.nextInt(33)));
      Duration median = of(millis).summary().p50();
      assertThat((double) median.toMillis()).isBetween(millis * 0.87 - 1, millis * 1.13 + 1);
    }
  }

  @Test
  void histogramsOfNodesAddUp() {
    DurationCounts sum = of(10, 10, 10).plus(of(1_000)).plus(DurationCounts.NONE);
    assertThat(sum.summary().count()).isEqualTo(4);
    assertThat(sum.summary().p50().toMillis()).isBetween(9L, 11L);
    assertThat(sum.summary().p99().toMillis()).isBetween(900L, 1_100L);
    assertThat(DurationCounts.NONE.summary().p50()).isNull();
  }
}
