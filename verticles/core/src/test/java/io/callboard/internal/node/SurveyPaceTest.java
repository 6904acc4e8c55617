package io.callboard.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SurveyPaceTest {
  @Test
  void looksTakeAHundredthOfTheTime() {
    assertThat(SurveyPace.after(Duration.ofMillis(40))).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void thePauseHasLimits() {
    assertThat(SurveyPace.after(Duration.ofNanos(1))).isEqualTo(SurveyPace.SHORTEST);
    assertThat(SurveyPace.after(Duration.ofSeconds(3))).isEqualTo(SurveyPace.LONGEST);
  }
}
