package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTextTest {
  @Test
  void readsTimesWithAnyOffset() {
    assertThat(IsoText.time("2026-11-21T05:30:00Z"))
        .isEqualTo(Instant.parse("2026-11-21T05:30:00Z"));
    assertThat(IsoText.time("2026-11-21T07:30:00.5+02:00"))
        .isEqualTo(Instant.parse("2026-11-21T05:30:00.5Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tomorrow",
        "2026-11-21",
        "2026-11-21T05:30:00",
        "2026-11-21 05:30:00Z",
        "2026-11-21T05:30Z",
        "2026-11-21T05:30:00+0200",
        "1795241794",
        "+2026-11-21T05:30:00Z"
      })
  void invalidTimesAreRefused(String text) {
    assertThatThrownBy(() -> IsoText.time(text)).hasMessageContaining("RFC 3339");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-30T05:30:00Z",
        "2026-13-01T05:30:00Z",
        "2026-11-21T24:30:00Z",
        "2026-11-21T05:30:60Z"
      })
  void refusesTimesThatDoNotExist(String text) {
    assertThatThrownBy(() -> IsoText.time(text)).hasMessageContaining("not a time that exists");
  }

  @Test
  void readsDurations() {
    assertThat(IsoText.duration("PT5S")).isEqualTo(Duration.ofSeconds(5));
    assertThat(IsoText.duration("P1DT2H3M4.5S"))
        .isEqualTo(Duration.ofDays(1).plusHours(2).plusMinutes(3).plusMillis(4_500));
    assertThat(IsoText.duration("P2D")).isEqualTo(Duration.ofDays(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PT",
        "P1DT",
        "5s",
        "pt5s",
        "-PT5S",
        "PT-5S",
        "P1Y",
        "P1M",
        "P1W",
        "PT5",
        "5",
        "PT99999999999S"
      })
  void invalidDurationsAreRefused(String text) {
    assertThatThrownBy(() -> IsoText.duration(text)).hasMessageContaining("ISO 8601");
  }
}
