package io.callboard.bench;

import io.callboard.jobs.model.JobState;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * No-op jobs of one node with one host, whose simulated processes end at once: everything but the
 * process is real. A job counts once its success is durable and its node has published it.
 */
final class OurJobs implements AutoCloseable {
  static final String TYPE = "no-op";

  /** Submissions under way at once. */
  private static final int PARALLEL = 512;

  private static final int SLOTS = 1_000;
  private static final int LIMIT_S = 120;

  private final JobSite site;
  private final Set<String> succeeded = ConcurrentHashMap.newKeySet();

  OurJobs(Stage stage, String servers) throws Exception {
    site = JobSite.start(Node.alone(servers), stage.directory("node"), 0, 1, SLOTS, null);
    site.limit(TYPE, 10 * SLOTS, false);
    Runnable unused =
        site.jobs()
            .onChange(
                job -> {
                  if (job.state() == JobState.SUCCEEDED) {
                    succeeded.add(job.id());
                  }
                });
  }

  /** Result of one round. */
  record Round(double ended, double submitted, double p50Ms, double p99Ms) {}

  /** Submits jobs, which run meanwhile. */
  Round run(int count) throws Exception {
    int target = succeeded.size() + count;
    long begun = System.nanoTime();
    Submitting submitting = submitting();
    double submitted = submitting.flood(count, PARALLEL);
    double ended = awaitSucceeded(target, count, begun);
    double[] millis = submitting.millis(0.5, 0.99);
    return new Round(ended, submitted, millis[0], millis[1]);
  }

  /** Submits jobs while their type is paused, and lets them go afterwards. */
  Round queueThenRun(int count) throws Exception {
    int target = succeeded.size() + count;
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

  private double awaitSucceeded(int target, int count, long begun) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (succeeded.size() < target) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d of %d jobs have not succeeded within %d s: %s"
                .formatted(
                    target - succeeded.size(), count, LIMIT_S, site.jobs().counts().byState()));
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
