package io.callboard.jobs.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Test of when a host that can start nothing is probed, and when it takes runs again. */
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
    assertThat(host.started()).as("after many trials").isTrue();
    assertThat(host.failed("no room")).contains(HostFitness.FIRST_PROBE);
  }

  @Test
  void whereProbesWorkAndStartsFailItTakesOneRunAtATime() {
    assertThat(host.slots(10, 3)).isEqualTo(10);
    host.failed("no processes");
    assertThat(host.slots(10, 3)).isZero();
    assertThat(host.started()).as("asked for before that").isFalse();
    assertThat(host.slots(10, 3)).isZero();
    host.probed();
    assertThat(host.slots(10, 3)).isEqualTo(10);
    host.failed("no processes");
    host.probed();
    assertThat(host.slots(10, 3)).isEqualTo(4);
    assertThat(host.slots(3, 3)).isEqualTo(3);
    assertThat(host.started()).isTrue();
    assertThat(host.slots(10, 3)).isEqualTo(10);
    assertThat(host.started()).as("no news").isFalse();
  }

  @Test
  void theFaultStaysWhileStartsFailThoughProbesWork() {
    host.failed("no processes");
    host.probed();
    assertThat(host.fault()).as("nothing speaks against it").isEmpty();
    for (int i = 0; i < 10; i++) {
      host.failed("no processes");
      host.probed();
      assertThat(host.fault()).contains("no processes");
    }
    assertThat(host.started()).isTrue();
    assertThat(host.fault()).isEmpty();
    host.failed("no processes");
    host.probed();
    assertThat(host.fault()).isEmpty();
  }
}
