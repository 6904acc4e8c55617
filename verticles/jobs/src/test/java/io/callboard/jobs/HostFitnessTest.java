package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a host that can start nothing is probed, and when it takes runs again. */
class HostFitnessTest {
  private final HostFitness host = new HostFitness();

  @Test
  void itTakesNoRunsFromAFailedStartToAProbeThatWorks() {
    assertThat(host.fault()).isEmpty();
    assertThat(host.failed("no room")).contains(HostFitness.FIRST_PROBE);
    assertThat(host.failed("no room for another")).as("one probe at a time").isEmpty();
    assertThat(host.fault()).contains("no room for another");
    assertThat(host.probeFailed("still no room")).isEqualTo(Duration.ofSeconds(2));
    assertThat(host.fault()).contains("still no room");
    host.probed();
    assertThat(host.fault()).isEmpty();
  }

  @Test
  void probesAreFurtherApartUntilARunStarts() {
    Duration last = host.failed("no room").orElseThrow();
    for (int i = 0; i < 20; i++) {
      host.probed();
      Duration next = host.failed("no room").orElseThrow();
      assertThat(next).isBetween(last, HostFitness.LAST_PROBE);
      last = next;
    }
    assertThat(last).isEqualTo(HostFitness.LAST_PROBE);
    host.probed();
    host.started();
    assertThat(host.failed("no room")).contains(HostFitness.FIRST_PROBE);
  }
}
