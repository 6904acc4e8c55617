package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardOptions;
import io.callboard.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SupervisionOptionsTest {
  private static final Duration TOO_LONG = Time.LONGEST.plusNanos(1);

  @Test
  void durationsThatCannotBeCountedAreNamed() {
    SupervisionOptions options = new SupervisionOptions();
    assertThatThrownBy(() -> options.intensity(1, TOO_LONG))
        .hasMessage(
            "the window of an intensity must be 10000 days at most, not PT240000H0.000000001S");
    assertThatThrownBy(() -> new CallboardOptions().sweepEvery(TOO_LONG))
        .hasMessageStartingWith("sweepEvery must be 10000 days at most");
  }
}
