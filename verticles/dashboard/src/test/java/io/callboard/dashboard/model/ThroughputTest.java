package io.callboard.dashboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThroughputTest {
  private static final Instant START = Instant.parse("2026-11-21T06:00:00Z");

  private final Throughput throughput = new Throughput(START);

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  private static Job job(String id, int run, @Nullable Instant started, @Nullable Instant ended) {
    JobRun last = new JobRun(run, "RUNNING", "h", "b", null, started, ended, null, null);
    return new Job(
        id,
        "process",
        JobState.RUNNING,
        5,
        List.of("a"),
        START,
        started,
        ended,
        null,
        List.of(last),
        Map.of(),
        null,
        null,
        1);
  }

  @Test
  void countsEachRunOnce() {
    throughput.note(job("a", 1, null, null), at(10));
    throughput.note(job("a", 1, at(10), null), at(10));
    throughput.note(job("a", 1, at(10), null), at(10));
    throughput.note(job("a", 1, at(10), at(11)), at(11));
    throughput.note(job("a", 1, at(10), at(11)), at(12));
    assertThat(throughput.rate(at(11)).toString())
        .isEqualTo(
            "{\"at\":%d,\"started\":1,\"ended\":1,\"startedPerSecond\":1,\"endedPerSecond\":0}"
                .formatted(at(10).getEpochSecond()));
    throughput.note(job("a", 2, at(13), null), at(13));
    assertThat(throughput.rate(at(14)).path("started").asLong()).isEqualTo(2);
  }

  @Test
  void countsARunThatNeverStartedAsEnded() {
    throughput.note(job("a", 1, null, at(5)), at(5));
    assertThat(throughput.rate(at(6)).path("started").asLong()).isZero();
    assertThat(throughput.rate(at(6)).path("ended").asLong()).isEqualTo(1);
  }

  @Test
  void leavesOutWhatWasBeforeItsTime() {
    throughput.note(job("old", 1, at(-20), at(-10)), at(1));
    assertThat(throughput.rate(at(2)).path("ended").asLong()).isZero();
  }

  @Test
  void forgetsWhatIsOlderThanItsWindow() {
    throughput.note(job("a", 1, at(10), null), at(10));
    assertThat(sum(throughput.history(at(20)).path("started"))).isEqualTo(1);
    assertThat(sum(throughput.history(at(10 + Throughput.SECONDS)).path("started"))).isZero();
    assertThat(throughput.history(at(20)).path("started")).hasSize(Throughput.SECONDS - 1);
    throughput.note(job("b", 1, at(10 + Throughput.SECONDS), null), at(10 + Throughput.SECONDS));
    assertThat(sum(throughput.history(at(11 + Throughput.SECONDS)).path("started"))).isEqualTo(1);
  }

  private static long sum(Iterable<com.fasterxml.jackson.databind.JsonNode> numbers) {
    long sum = 0;
    for (com.fasterxml.jackson.databind.JsonNode number : numbers) {
      sum += number.asLong();
    }
    return sum;
  }
}
