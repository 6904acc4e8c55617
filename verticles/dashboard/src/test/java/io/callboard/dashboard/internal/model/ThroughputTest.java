package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ThroughputTest {
  private static final Instant START = Instant.parse("2026-11-21T06:00:00Z");

  private final Throughput throughput = new Throughput();

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  @Test
  void countsWhatIsReportedBySecond() {
    throughput.note(1, 0, at(10));
    throughput.note(2, 1, at(10));
    throughput.note(0, 2, at(11));
    assertThat(throughput.rate(at(11)).toString())
        .isEqualTo(
            "{\"at\":%d,\"started\":3,\"ended\":3,\"startedPerSecond\":3,\"endedPerSecond\":1}"
                .formatted(at(10).getEpochSecond()));
    assertThat(throughput.rate(at(12)).path("endedPerSecond").asLong()).isEqualTo(2);
    assertThat(throughput.rate(at(13)).path("endedPerSecond").asLong()).isZero();
  }

  @Test
  void oldSecondsAreForgottenButNotTheTotals() {
    throughput.note(1, 0, at(10));
    throughput.note(2, 3, at(500));
    assertThat(throughput.rate(at(504)).path("startedPerSecond").asLong()).isZero();
    assertThat(throughput.started()).isEqualTo(3);
    assertThat(throughput.ended()).isEqualTo(3);
  }
}
