package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardOptions;
import io.callboard.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SupervisionOptionsTest {
  private static final Duration TOO_LONG = Time.LONGEST.plusNanos(1);

  @Test
  void durationsThatCannotBeCountedAreNamed() {
    SupervisionOptions options = new SupervisionOptions();
    assertThatThrownBy(() -> options.withIntensity(1, TOO_LONG))
        .hasMessage("supervision's window must be 10000 days at most, not PT240000H0.000000001S");
    Backoff backoff = new Backoff(Duration.ofMillis(1), TOO_LONG, Backoff.Jitter.NONE);
    assertThatThrownBy(() -> options.withBackoff(backoff))
        .hasMessageStartingWith("supervision's backoff's max must be 10000 days at most");
    assertThatThrownBy(() -> new CallboardOptions().sweepEvery(TOO_LONG))
        .hasMessageStartingWith("sweepEvery must be 10000 days at most");
  }
}
