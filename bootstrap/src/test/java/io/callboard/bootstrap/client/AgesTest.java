package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "PT0.9S, now",
    "PT-0.9S, now",
    "PT5.4S, 5 s ago",
    "PT119S, 119 s ago",
    "PT3M20S, 3 min ago",
    "PT119M, 119 min ago",
    "PT3H, 3 h ago",
    "PT49H, 2 d ago",
    "PT-3M, in 3 min",
    "PT-5.4S, in 5 s"
  })
  void anAgeHasItsLargestUnit(Duration age, String text) {
    assertThat(Ages.of(NOW.minus(age), NOW)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"PT0S, 0 s", "PT0.25S, 0.2 s", "PT1S, 1 s", "PT10.7S, 10 s", "PT2M, 2 min"})
  void aShortSpanHasTenths(Duration span, String text) {
    assertThat(Ages.span(span)).isEqualTo(text);
  }

  @Test
  void aTextThatIsNoTimeStaysAsItIs() {
    assertThat(Ages.of("-", NOW)).isEqualTo("-");
    assertThat(Ages.of("2026-11-25T11:00:00Z", NOW)).isEqualTo("60 min ago");
  }
}
