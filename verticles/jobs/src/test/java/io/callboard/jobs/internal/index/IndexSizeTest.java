package io.callboard.jobs.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobState;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Room that the index takes in the heap, measured with live objects after collections. */
class IndexSizeTest {
  private static final int JOBS = 100_000;
  private static final int PARTITIONS = 64;

  private static long liveBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 6; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static JobIndex filled(JobState state) {
    JobIndex index = new JobIndex(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      index.gained(partition, 1);
      index.allRead(partition, 1);
    }
    for (int number = 0; number < JOBS; number++) {
      index.is(
          SampleJobs.job(
              number,
              new String("process"),
              state,
              1,
              List.of("/usr/bin/env", "sh", "-c", "convert --input /data/" + number),
              Map.of("project", "p" + number % 100)));
    }
    return index;
  }

  private static long bytesOfARow(JobState state) {
    List<JobIndex> kept = new ArrayList<>();
    long before = liveBytes();
    kept.add(filled(state));
    long after = liveBytes();
    assertThat(kept.get(0).size()).isEqualTo(JOBS);
    return (after - before) / JOBS;
  }

  @Test
  void aRowIsSmall() {
    long queued = bytesOfARow(JobState.QUEUED);
    long ended = bytesOfARow(JobState.SUCCEEDED);
    System.out.printf(
        "a row of the index: %d bytes of a job that waits, %d of one that has ended%n",
        queued, ended);
    assertThat(queued).isBetween(60L, 250L);
    assertThat(ended).isBetween(60L, 300L);
  }
}
