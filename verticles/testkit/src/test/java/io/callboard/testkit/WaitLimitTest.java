package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitLimitTest {
  private final String before = System.getProperty(WaitLimit.FACTOR);
  private final PrintStream err = System.err;

  @AfterEach
  void restore() {
    System.setErr(err);
    factor(before);
  }

  private static void factor(String value) {
    if (value == null) {
      System.clearProperty(WaitLimit.FACTOR);
    } else {
      System.setProperty(WaitLimit.FACTOR, value);
    }
  }

  @Test
  void aLimitIsStretchedByTheFactorAlone() {
    factor(null);
    assertThat(WaitLimit.stretched(Duration.ofMillis(200))).isEqualTo(Duration.ofMillis(200));
    factor("2.5");
    assertThat(WaitLimit.stretched(Duration.ofMillis(200))).isEqualTo(Duration.ofMillis(500));
    assertThat(WaitLimit.of(Duration.ofSeconds(2)).limit()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aFactorThatShortensLimitsIsRefused() {
    for (String each : new String[] {"0.5", "-1", "NaN", "1001"}) {
      factor(each);
      assertThatThrownBy(() -> WaitLimit.stretched(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "system property callboard.testkit.timefactor must be between 1 and 1000, not %s",
              Double.parseDouble(each));
    }
  }

  @Test
  void anExpiryReportsLoadDelaysAndThreadsUnlessTheLimitWasShort() {
    factor(null);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    WaitLimit.of(Duration.ofSeconds(29)).reportExpiry();
    assertThat(printed.size()).isZero();
    WaitLimit wait = WaitLimit.of(Duration.ofSeconds(30));
    wait.slept(3_005_000_000L, Duration.ofMillis(5));
    wait.reportExpiry();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .containsPattern("^gave up after PT30S: load -?[0-9.]+ on [0-9]+ processors, ")
        .contains("the waiting thread was held up for 3000 ms at most; all threads:\n")
        .contains("\"" + Thread.currentThread().getName() + "\"", "WaitLimitTest");
  }

  @Test
  void aWaitIsOverWhenNothingIsLeft() {
    assertThat(WaitLimit.of(Duration.ZERO).isOver()).isTrue();
    assertThat(WaitLimit.of(Duration.ofHours(1)).isOver()).isFalse();
  }
}
