package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.callboard.supervision.Backoff.Jitter;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExponentialBackoffTest {
  private static final Duration MIN = Duration.ofMillis(200);
  private static final Duration MAX = Duration.ofSeconds(30);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final int DRAWS = 40_000;

  /**
   * Bound of the statistic for 10 cells, hence 9 degrees of freedom: one of 1,000 good generators
   * exceeds it.
   */
  private static final double CHI_SQUARE = 27.9;

  private static long[] counts() {
    return LongStream.concat(
            LongStream.rangeClosed(1, 70), LongStream.of(1_000_000, Long.MAX_VALUE))
        .toArray();
  }

  private static List<ExponentialBackoff> forms(Jitter jitter) {
    return List.of(
        new ExponentialBackoff(MIN, MAX, jitter),
        new ExponentialBackoff(MIN, MIN, jitter),
        new ExponentialBackoff(NANO, NANO, jitter),
        new ExponentialBackoff(NANO, Time.LONGEST, jitter),
        new ExponentialBackoff(Time.LONGEST, Time.LONGEST, jitter));
  }

  private static Retries at(ExponentialBackoff backoff, long failures, Duration last) {
    return new Retries(backoff, failures - 1, 0, failures - 1, last);
  }

  @Test
  void doublesFromMinToMaxWithoutJitter() {
    ExponentialBackoff backoff = Backoff.exponential(MIN, MAX, Jitter.NONE);
    SplittableRandom random = new SplittableRandom(1);
    assertThat(backoff.delay(1, random)).isEqualTo(Duration.ofMillis(200));
    assertThat(backoff.delay(2, random)).isEqualTo(Duration.ofMillis(400));
    assertThat(backoff.delay(8, random)).isEqualTo(Duration.ofMillis(25_600));
    assertThat(backoff.delay(9, random)).isEqualTo(MAX);
  }

  @Test
  void itsBoundNeverFallsAndEndsAtMax() {
    SplittableRandom random = new SplittableRandom(1);
    for (ExponentialBackoff bound : forms(Jitter.NONE)) {
      Duration last = bound.min();
      for (long failures : counts()) {
        Duration now = bound.delay(failures, random);
        assertThat(now).isBetween(last, bound.max());
        last = now;
      }
      assertThat(last).isEqualTo(bound.max());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "DECORRELATED", mode = EnumSource.Mode.EXCLUDE)
  void staysInItsBoundsForEveryCountOfFailures(Jitter jitter) {
    SplittableRandom random = new SplittableRandom(2);
    for (ExponentialBackoff backoff : forms(jitter)) {
      ExponentialBackoff bound = new ExponentialBackoff(backoff.min(), backoff.max(), Jitter.NONE);
      for (long failures : counts()) {
        Duration most = bound.delay(failures, random);
        Duration least =
            switch (jitter) {
              case EQUAL -> most.dividedBy(2);
              case FULL -> Duration.ZERO;
              default -> most;
            };
        for (int i = 0; i < 50; i++) {
          assertThat(backoff.delay(failures, random)).isBetween(least, most);
          assertThat(at(backoff, failures, Duration.ZERO).next(random).delay())
              .isBetween(least, most);
        }
      }
    }
  }

  @Test
  void aDecorrelatedOneIsBetweenMinAndThreeTimesTheLastAndCappedAfterwards() {
    SplittableRandom random = new SplittableRandom(3);
    for (ExponentialBackoff backoff : forms(Jitter.DECORRELATED)) {
      for (long failures : counts()) {
        for (Duration last : List.of(Duration.ZERO, backoff.min(), backoff.max(), Time.LONGEST)) {
          Duration base = last.compareTo(backoff.min()) > 0 ? last : backoff.min();
          Duration thrice = base.multipliedBy(3);
          Duration most = thrice.compareTo(backoff.max()) < 0 ? thrice : backoff.max();
          for (int i = 0; i < 20; i++) {
            assertThat(at(backoff, failures, last).next(random).delay())
                .isBetween(backoff.min(), most);
          }
        }
      }
    }
  }

  @Test
  void aDecorrelatedOneGoesUpToMaxAndComesDownAgain() {
    SplittableRandom random = new SplittableRandom(4);
    Retries retries = Backoff.exponential(MIN, MAX, Jitter.DECORRELATED).begin();
    int capped = 0;
    int fell = 0;
    for (int i = 0; i < 10_000; i++) {
      Duration last = retries.delay();
      retries = retries.next(random);
      capped += retries.delay().equals(MAX) ? 1 : 0;
      fell += retries.delay().compareTo(last) < 0 ? 1 : 0;
    }
    assertThat(capped).isBetween(1_000, 9_000);
    assertThat(fell).isBetween(1_000, 9_000);
  }

  /** Capped after the jitter: from 20 s it is drawn up to 60 s, and half of those are cut. */
  @Test
  void aDelayThatJitterBringsOverMaxIsMax() {
    ExponentialBackoff backoff = new ExponentialBackoff(NANO, MAX, Jitter.DECORRELATED);
    SplittableRandom random = new SplittableRandom(5);
    int capped = 0;
    for (int i = 0; i < DRAWS; i++) {
      Duration wait = at(backoff, 2, Duration.ofSeconds(20)).next(random).delay();
      capped += wait.equals(MAX) ? 1 : 0;
    }
    assertThat(capped / (double) DRAWS).isCloseTo(0.5, within(0.02));
  }

  @ParameterizedTest
  @CsvSource({"EQUAL,400,800", "FULL,0,800", "DECORRELATED,200,2400"})
  void jitterIsUniform(Jitter jitter, long leastMs, long mostMs) {
    ExponentialBackoff backoff = new ExponentialBackoff(MIN, MAX, jitter);
    Duration last = Duration.ofMillis(800);
    for (RandomGenerator random : List.of(new SplittableRandom(6), new Random(7))) {
      assertThat(chiSquare(at(backoff, 3, last), leastMs, mostMs, random)).isLessThan(CHI_SQUARE);
    }
  }

  private static double chiSquare(Retries at, long leastMs, long mostMs, RandomGenerator random) {
    int[] cells = new int[10];
    double width = (mostMs - leastMs) * 1e6 / cells.length;
    for (int i = 0; i < DRAWS; i++) {
      double over = at.next(random).delay().toNanos() - leastMs * 1e6;
      cells[(int) Math.min(cells.length - 1, over / width)]++;
    }
    double expected = DRAWS / (double) cells.length;
    double sum = 0;
    for (int cell : cells) {
      sum += (cell - expected) * (cell - expected) / expected;
    }
    return sum;
  }

  @Test
  void theSameSeedGivesTheSameWaits() {
    for (Jitter jitter : Jitter.values()) {
      Retries one = Backoff.exponential(MIN, MAX, jitter).begin();
      Retries other = one;
      SplittableRandom first = new SplittableRandom(8);
      SplittableRandom second = new SplittableRandom(8);
      for (int i = 0; i < 100; i++) {
        one = one.next(first);
        other = other.next(second);
        assertThat(one).isEqualTo(other);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void countsBelowOneAreRefused(long failures) {
    ExponentialBackoff backoff = Backoff.exponential(MIN, MAX);
    assertThatThrownBy(() -> backoff.delay(failures, new SplittableRandom(1)))
        .hasMessage("failures must be at least 1, not " + failures);
  }

  @Test
  void byCountAloneNothingIsDecorrelated() {
    ExponentialBackoff backoff = Backoff.exponential(MIN, MAX, Jitter.DECORRELATED);
    assertThatThrownBy(() -> backoff.delay(1, new SplittableRandom(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use begin() and Retries.next");
  }

  @ParameterizedTest
  @CsvSource({"PT30S,PT0.2S", "PT0S,PT1S", "PT-1S,PT1S", "PT1S,PT240000H0.000000001S"})
  void saysWhichBoundsAreRight(Duration min, Duration max) {
    assertThatThrownBy(() -> Backoff.exponential(min, max))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "backoff needs 0 < min <= max <= 10000 days, not min %s, max %s".formatted(min, max));
  }
}
