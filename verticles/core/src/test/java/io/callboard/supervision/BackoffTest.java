package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.supervision.Backoff.Jitter;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration MIN = Duration.ofMillis(200);
  private static final Duration MAX = Duration.ofSeconds(30);

  @Test
  void doublesFromMinToMaxWithoutJitter() {
    Backoff backoff = new Backoff(MIN, MAX, Jitter.NONE);
    SplittableRandom random = new SplittableRandom(1);
    assertThat(backoff.delay(1, random)).isEqualTo(Duration.ofMillis(200));
    assertThat(backoff.delay(2, random)).isEqualTo(Duration.ofMillis(400));
    assertThat(backoff.delay(8, random)).isEqualTo(Duration.ofMillis(25_600));
    assertThat(backoff.delay(9, random)).isEqualTo(MAX);
  }

  @Test
  void staysInItsBoundsForEveryCountOfFailures() {
    SplittableRandom random = new SplittableRandom(2);
    for (Jitter jitter : Jitter.values()) {
      Backoff backoff = new Backoff(MIN, MAX, jitter);
      Backoff bound = new Backoff(MIN, MAX, Jitter.NONE);
      for (long failures :
          new long[] {1, 2, 5, 31, 32, 33, 62, 63, 64, 65, 1_000_000, Long.MAX_VALUE}) {
        Duration most = bound.delay(failures, random);
        Duration least =
            switch (jitter) {
              case NONE -> most;
              case EQUAL -> most.dividedBy(2);
              case FULL -> Duration.ZERO;
            };
        for (int i = 0; i < 200; i++) {
          assertThat(backoff.delay(failures, random)).isBetween(least, most);
        }
      }
    }
  }

  @Test
  void equalJitterUsesTheWholeUpperHalf() {
    Backoff backoff = new Backoff(MIN, MAX, Jitter.EQUAL);
    SplittableRandom random = new SplittableRandom(3);
    long low = 0;
    int n = 10_000;
    for (int i = 0; i < n; i++) {
      if (backoff.delay(1, random).toMillis() < 150) {
        low++;
      }
    }
    assertThat(low).isBetween(n * 45L / 100, n * 55L / 100);
  }

  @Test
  void saysWhichBoundsAreWrong() {
    assertThatThrownBy(() -> new Backoff(MAX, MIN, Jitter.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 < min <= max")
        .hasMessageContaining("PT30S");
  }
}
