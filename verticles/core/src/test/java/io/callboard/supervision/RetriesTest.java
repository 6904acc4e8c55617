package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetriesTest {
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(8), Backoff.Jitter.NONE);

  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void countsWhatWasTriedAndWaited() {
    Retries none = BACKOFF.begin();
    assertThat(none).isEqualTo(new Retries(BACKOFF, 0, 0, 0, Duration.ZERO));
    Retries two = none.next(random).next(random);
    assertThat(two).isEqualTo(new Retries(BACKOFF, 2, 0, 2, Duration.ofSeconds(2)));
    assertThat(two.reset()).isEqualTo(new Retries(BACKOFF, 0, 1, 2, Duration.ZERO));
    assertThat(two.reset().next(random))
        .isEqualTo(new Retries(BACKOFF, 1, 1, 3, Duration.ofSeconds(1)));
    assertThat(none.retries()).as("a value").isZero();
  }

  @Test
  void countsStopAtTheLargest() {
    long most = Long.MAX_VALUE;
    for (Backoff backoff :
        new Backoff[] {BACKOFF, Backoff.slotted(Duration.ofMillis(1), 10, true)}) {
      Retries full = new Retries(backoff, most, most, most, Duration.ZERO);
      Retries next = full.next(random);
      assertThat(next).isEqualTo(new Retries(backoff, most, most, most, next.delay()));
      assertThat(full.reset()).isEqualTo(new Retries(backoff, 0, most, most, Duration.ZERO));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1,0,0", "0,-1,0", "2,0,1"})
  void countsThatCannotBeAreRefused(long retries, long resets, long total) {
    assertThatThrownBy(() -> new Retries(BACKOFF, retries, resets, total, Duration.ZERO))
        .hasMessage(
            "retries need 0 <= retries <= total and resets >= 0, not retries %d, total %d, resets %d"
                .formatted(retries, total, resets));
  }

  @Test
  void aWaitThatCannotBeIsRefused() {
    assertThatThrownBy(() -> new Retries(BACKOFF, 0, 0, 0, Time.LONGEST.plusNanos(1)))
        .hasMessageStartingWith("the delay of retries must be 0 to 10000 days, not ");
    assertThatThrownBy(() -> new Retries(BACKOFF, 0, 0, 0, Duration.ofNanos(-1)))
        .hasMessageContaining("PT-0.000000001S");
  }
}
