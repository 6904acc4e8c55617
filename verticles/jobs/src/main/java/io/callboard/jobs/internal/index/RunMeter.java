package io.callboard.jobs.internal.index;

import io.callboard.admin.Distribution;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.RunFigures;
import io.callboard.jobs.model.RunState;
import io.callboard.time.Machine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counts behind {@link RunFigures}. Not thread-safe. */
@Machine
final class RunMeter {
  private static final long FIRST_BOUND = 1_000_000;
  private static final int DECADES = 9;
  private static final long[] BOUNDS = bounds();

  private final long[] waits = new long[BOUNDS.length + 1];
  private long sum;
  private long failed;

  /** Returns 1, 2 and 5 of each power of ten from a millisecond to five days and more. */
  private static long[] bounds() {
    long[] bounds = new long[3 * DECADES];
    long decade = FIRST_BOUND;
    for (int i = 0; i < bounds.length; i += 3, decade *= 10) {
      bounds[i] = decade;
      bounds[i + 1] = 2 * decade;
      bounds[i + 2] = 5 * decade;
    }
    return bounds;
  }

  /** Counts what has just happened to the last run of a job. */
  void changed(@Nullable IndexRow before, IndexRow now, Job job) {
    if (job.runs().isEmpty()) {
      return;
    }
    JobRun run = job.runs().get(job.runs().size() - 1);
    Instant started = run.startedAt();
    if (started != null && now.hasStartedSince(before) && now.dueNs != IndexRow.NOT_KNOWN) {
      waited(Math.max(0, IndexRow.nanos(started) - now.dueNs));
    }
    if (now.hasEndedSince(before) && isFailure(run)) {
      failed++;
    }
  }

  private static boolean isFailure(JobRun run) {
    return run.state().equals(RunState.FAILED.name()) || run.state().equals(RunState.LOST.name());
  }

  private void waited(long nanos) {
    int bucket = 0;
    while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
      bucket++;
    }
    waits[bucket]++;
    sum += nanos;
  }

  RunFigures figures() {
    return new RunFigures(failed, new Distribution(BOUNDS.clone(), waits.clone(), sum));
  }
}
