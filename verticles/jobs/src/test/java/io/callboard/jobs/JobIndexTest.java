package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobIndexTest {
  private static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";

  private final JobIndex index = new JobIndex();

  private static Job job(JobState state, long version) {
    return new Job(
        ID,
        "process",
        state,
        5,
        List.of("true"),
        NOW,
        NOW,
        state.terminal() ? NOW : null,
        null,
        List.of(),
        Map.of(),
        null,
        null,
        version);
  }

  @Test
  void aJobThatWasLetGoStaysAwayUntilItRunsAgain() {
    index.put(job(JobState.SUCCEEDED, 5));
    assertThat(index.ended().size()).isEqualTo(1);
    index.letGo(ID, 5);
    index.put(job(JobState.SUCCEEDED, 5));
    index.put(job(JobState.RUNNING, 4));
    assertThat(index.get(ID)).as("an older reading").isEmpty();
    assertThat(index.ended().size()).isZero();
    index.put(job(JobState.QUEUED, 6));
    assertThat(index.get(ID)).isPresent();
    index.letGo(ID, 5);
    assertThat(index.get(ID)).as("late news").isPresent();
    index.deleted(ID);
    index.put(job(JobState.QUEUED, 7));
    assertThat(index.get(ID)).isEmpty();
  }
}
