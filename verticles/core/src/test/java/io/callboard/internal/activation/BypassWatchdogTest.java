package io.callboard.internal.activation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BypassWatchdogTest {
  @Test
  void theWatchdogWaitsForTwoCommitsWithinItsLimits() {
    assertThat(interval(0)).isEqualTo(10);
    assertThat(interval(2)).isEqualTo(10);
    assertThat(interval(40)).isEqualTo(80);
    assertThat(interval(60_000)).isEqualTo(500);
  }

  private static long interval(long commitMillis) {
    return TimeUnit.NANOSECONDS.toMillis(
        BypassWatchdog.intervalNanos(TimeUnit.MILLISECONDS.toNanos(commitMillis)));
  }
}
