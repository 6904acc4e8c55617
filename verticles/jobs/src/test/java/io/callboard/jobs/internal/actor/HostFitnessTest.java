package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.HostFitness.Fault;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Test of when a host that can start nothing is probed, and when it takes runs again. */
class HostFitnessTest {
  private static final Instant NOW = Instant.parse("2026-11-28T09:00:00Z");

  private final HostFitness host = new HostFitness();

  @Test
  void aHostTakesNoRunsFromAFailedStartToAProbeThatWorks() {
    assertThat(host.fault()).isEmpty();
    assertThat(host.failed("no room", NOW)).contains(HostFitness.FIRST_PROBE);
    assertThat(host.failed("no room for another", NOW)).as("one probe at a time").isEmpty();
    assertThat(host.fault()).contains(new Fault("no room for another", NOW));
    assertThat(host.probeFailed("still no room", NOW)).isEqualTo(Duration.ofSeconds(2));
    assertThat(host.fault()).contains(new Fault("still no room", NOW));
    host.probed();
    assertThat(host.fault()).isEmpty();
  }

  @Test
  void probesAreFurtherApartUntilARunStarts() {
    Duration last = host.failed("no room", NOW).orElseThrow();
    for (int i = 0; i < 20; i++) {
      host.probed();
      Duration next = host.failed("no room", NOW).orElseThrow();
      assertThat(next).isBetween(last, HostFitness.LAST_PROBE);
      last = next;
    }
    assertThat(last).isEqualTo(HostFitness.LAST_PROBE);
    host.probed();
    assertThat(host.started()).as("after many trials").isTrue();
    assertThat(host.failed("no room", NOW)).contains(HostFitness.FIRST_PROBE);
  }

  @Test
  void aHostWhoseStartsFailAfterAGoodProbeTakesOneRunAtATime() {
    assertThat(host.slots(10, 3)).isEqualTo(10);
    host.failed("no processes", NOW);
    assertThat(host.slots(10, 3)).isZero();
    assertThat(host.started()).as("asked for before that").isFalse();
    assertThat(host.slots(10, 3)).isZero();
    host.probed();
    assertThat(host.slots(10, 3)).isEqualTo(10);
    host.failed("no processes", NOW);
    host.probed();
    assertThat(host.slots(10, 3)).isEqualTo(4);
    assertThat(host.slots(3, 3)).isEqualTo(3);
    assertThat(host.started()).isTrue();
    assertThat(host.slots(10, 3)).isEqualTo(10);
    assertThat(host.started()).as("no news").isFalse();
  }

  @Test
  void theFaultStaysWhileStartsFailThoughProbesWork() {
    host.failed("no processes", NOW);
    host.probed();
    assertThat(host.fault()).as("nothing speaks against it").isEmpty();
    for (int i = 0; i < 10; i++) {
      host.failed("no processes", NOW);
      host.probed();
      assertThat(host.fault()).contains(new Fault("no processes", NOW));
    }
    assertThat(host.started()).isTrue();
    assertThat(host.fault()).isEmpty();
    host.failed("no processes", NOW);
    host.probed();
    assertThat(host.fault()).isEmpty();
  }

  @Test
  void whileAStartHangsItTakesNoRunsWhateverProbesSay() {
    host.failed("no room", NOW);
    assertThat(host.hangs("a start hangs", NOW.plusSeconds(30))).isTrue();
    assertThat(host.hangs("a start hangs", NOW.plusSeconds(31))).as("no news").isFalse();
    assertThat(host.fault()).contains(new Fault("a start hangs", NOW.plusSeconds(30)));
    host.probed();
    assertThat(host.slots(10, 3)).isZero();
    assertThat(host.started()).as("another start").isFalse();
    assertThat(host.slots(10, 3)).isZero();
    assertThat(host.hangsNoMore()).isTrue();
    assertThat(host.hangsNoMore()).as("no news").isFalse();
    assertThat(host.fault()).isEmpty();
    assertThat(host.slots(10, 3)).isEqualTo(10);
  }

  @Test
  void theFaultOfAFailedStartIsThereAgainWhenNoneHangs() {
    host.failed("no room", NOW);
    host.probeFailed("still no room", NOW.plusSeconds(1));
    host.hangs("a start hangs", NOW.plusSeconds(30));
    host.hangsNoMore();
    assertThat(host.fault()).as("since it began").contains(new Fault("still no room", NOW));
    assertThat(host.slots(10, 3)).isZero();
  }
}
