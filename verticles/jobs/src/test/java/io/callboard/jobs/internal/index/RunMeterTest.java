package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.NOW;
import static io.callboard.jobs.internal.index.SampleJobs.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long jobs wait for their runs, and which runs fail, as the index sees their changes. */
class RunMeterTest {
  private final JobIndex index = new JobIndex(1);
  private long version;

  @BeforeEach
  void own() {
    assertThat(index.gained(0, 1)).isTrue();
    index.allRead(0, 1);
  }

  private static Instant at(double seconds) {
    return NOW.plusMillis(Math.round(seconds * 1_000));
  }

  private static JobRun run(int runId, RunState state, @Nullable Instant started) {
    JobRun granted = JobRun.granted(runId, RunState.ADMITTED, "h", "b");
    JobRun begun = started == null ? granted : granted.started(RunState.RUNNING, started);
    return state.isOpen() ? begun : begun.ended(state, 1, null, NOW.plusSeconds(1_000));
  }

  private void is(JobState state, @Nullable Instant next, JobRun... runs) {
    version++;
    index.is(
        new Job(
            id(1),
            "process",
            state,
            5,
            List.of("true"),
            NOW,
            null,
            state.terminal() ? NOW : null,
            next,
            List.of(runs),
            Map.of(),
            null,
            null,
            version));
  }

  /** Returns the waits so far, each by the bound of its bucket. */
  private List<Duration> waits() {
    var waits = index.figures().waits();
    return java.util.stream.IntStream.range(0, waits.bounds().length)
        .boxed()
        .flatMap(
            i ->
                java.util.stream.Stream.generate(() -> Duration.ofNanos(waits.bounds()[i]))
                    .limit(waits.counts()[i]))
        .toList();
  }

  @Test
  void aJobWaitsFromItsSubmissionToTheStartOfItsRun() {
    is(JobState.QUEUED, null);
    is(JobState.ADMITTED, null, run(1, RunState.ADMITTED, null));
    is(JobState.RUNNING, null, run(1, RunState.RUNNING, at(1.5)));
    is(JobState.SUSPECT, null, run(1, RunState.RUNNING, at(1.5)));
    is(JobState.SUCCEEDED, null, run(1, RunState.SUCCEEDED, at(1.5)));
    assertThat(waits()).containsExactly(Duration.ofSeconds(2));
    assertThat(index.figures().waits().sum()).isEqualTo(Duration.ofMillis(1_500).toNanos());
    assertThat(index.figures().failed()).isZero();
  }

  @Test
  void theWaitOfALaterOrRetriedJobBeginsWhenItIsDue() {
    is(JobState.SCHEDULED, at(60));
    is(JobState.QUEUED, null);
    is(JobState.ADMITTED, null, run(1, RunState.ADMITTED, null));
    is(JobState.QUEUED, null, run(1, RunState.NOT_STARTED, null));
    is(JobState.RUNNING, null, run(2, RunState.RUNNING, at(60.004)));
    is(JobState.RETRY_WAIT, at(80), run(2, RunState.FAILED, at(60.004)));
    is(JobState.QUEUED, null, run(2, RunState.FAILED, at(60.004)));
    is(JobState.RUNNING, null, run(3, RunState.RUNNING, at(80.3)));
    assertThat(waits()).containsExactly(Duration.ofMillis(5), Duration.ofMillis(500));
    assertThat(index.figures().failed()).isEqualTo(1);
  }

  @Test
  void aHostWhoseClockIsLateMakesNoNegativeWait() {
    is(JobState.QUEUED, null);
    is(JobState.RUNNING, null, run(1, RunState.RUNNING, at(-5)));
    assertThat(waits()).containsExactly(Duration.ofMillis(1));
  }

  @Test
  void waitsWhoseBeginningIsUnknownAreNotCounted() {
    is(JobState.QUEUED, null);
    is(JobState.RUNNING, null, run(1, RunState.RUNNING, at(1)));
    is(JobState.QUEUED, null, run(1, RunState.LOST, at(1)));
    is(JobState.RUNNING, null, run(2, RunState.RUNNING, at(50)));
    is(JobState.HELD, null, run(2, RunState.FAILED, at(50)));
    is(JobState.QUEUED, null, run(2, RunState.FAILED, at(50)));
    is(JobState.RUNNING, null, run(3, RunState.RUNNING, at(90)));
    assertThat(waits()).as("only the first").containsExactly(Duration.ofSeconds(1));
    assertThat(index.figures().failed()).isEqualTo(2);
    assertThat(index.gained(0, 2)).isTrue();
    version += 10;
    index.read(
        0, 2, SampleJobs.job(2, JobState.QUEUED, version)); // since when is not in the record
    index.allRead(0, 2);
    index.is(SampleJobs.ran(2, JobState.RUNNING, version + 1, true, false));
    assertThat(waits()).hasSize(1);
  }
}
