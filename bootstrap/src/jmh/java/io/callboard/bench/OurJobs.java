package io.callboard.bench;

import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * No-op jobs of one node with one host, whose simulated processes end at once: everything but the
 * process is real. A job counts once its success is durable and in the index.
 */
final class OurJobs implements AutoCloseable {
  static final String TYPE = "no-op";

  /** Submissions under way at once. */
  private static final int PARALLEL = 512;

  private static final int SLOTS = 1_000;
  private static final int LIMIT_S = 120;

  private final JobSite site;

  OurJobs(Stage stage, String servers) throws Exception {
    site = JobSite.start(Node.alone(servers), stage.directory("node"), 0, 1, SLOTS, null);
    site.limit(TYPE, 10 * SLOTS, false);
  }

  /** Returns the number of jobs that have succeeded; no other end may occur. */
  private long succeeded() {
    JobCounts counts = site.jobs().counts();
    counts
        .byState()
        .forEach(
            (state, count) -> {
              if (state.terminal() && state != JobState.SUCCEEDED) {
                throw new IllegalStateException("%d jobs are %s".formatted(count, state));
              }
            });
    return counts.ended();
  }

  /** Result of one round. */
  record Round(double ended, double submitted, double p50Ms, double p99Ms) {}

  /** Submits jobs, which run meanwhile. */
  Round run(int count) throws Exception {
    long target = succeeded() + count;
    long begun = System.nanoTime();
    Submitting submitting = submitting();
    double submitted = submitting.flood(count, PARALLEL);
    double ended = awaitSucceeded(target, count, begun);
    double[] millis = submitting.millis(0.5, 0.99);
    return new Round(ended, submitted, millis[0], millis[1]);
  }

  /** Submits jobs while their type is paused, and lets them go afterwards. */
  Round queueThenRun(int count) throws Exception {
    long target = succeeded() + count;
    site.limit(TYPE, 10 * SLOTS, true);
    Submitting submitting = submitting();
    double submitted = submitting.flood(count, PARALLEL);
    long begun = System.nanoTime();
    site.limit(TYPE, 10 * SLOTS, false);
    double ended = awaitSucceeded(target, count, begun);
    double[] millis = submitting.millis(0.5, 0.99);
    return new Round(ended, submitted, millis[0], millis[1]);
  }

  private Submitting submitting() {
    return new Submitting(site.jobs(), number -> JobSite.job(TYPE, Map.of(), Map.of()));
  }

  private double awaitSucceeded(long target, int count, long begun) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (succeeded() < target) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d of %d jobs have not succeeded within %d s: %s"
                .formatted(target - succeeded(), count, LIMIT_S, site.jobs().counts().byState()));
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  @Override
  public void close() throws Exception {
    site.close();
  }
}
