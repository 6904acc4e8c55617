package io.callboard.bench;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * No-op jobs of one node, whose handler returns at once. A job counts once its success is durable
 * and in the index.
 */
final class OurJobs implements AutoCloseable {
  private static final String TYPE = "no-op";

  /** Submissions under way at once. */
  private static final int PARALLEL = 512;

  /** Slots are held until the end of a run is durable, so more than there are threads. */
  private static final int SLOTS = 1_000;

  private static final int LIMIT = 10_000;
  private static final int LIMIT_S = 120;
  private static final int QUEUE_LIMIT = 10_000_000;

  /** Ended jobs that are kept: those of all rounds, as they are counted. */
  private static final int ENDED = 1_000_000;

  private final Node node;
  private final Jobs jobs;

  /** Arguments of a job. */
  record Number(long value) {}

  OurJobs(Stage stage, String servers) throws Exception {
    this(stage, servers, number -> {});
  }

  /**
   * Starts the node.
   *
   * @param begun called when a job begins, with its number
   */
  OurJobs(Stage stage, String servers, LongConsumer begun) throws Exception {
    this.node = Node.alone(servers);
    JobRetention retention = JobRetention.DEFAULT.records(ENDED, Duration.ofDays(1));
    JobsOptions options = JobsOptions.DEFAULT.slots(0).queueLimit(QUEUE_LIMIT).retention(retention);
    StartedParts parts =
        StartedParts.of(node.callboard(), stage.directory("node"), node.callboard().node());
    this.jobs = Node.await(parts.start(Jobs.part(options)));
    var unused =
        Node.await(
            jobs.handle(
                TYPE,
                Number.class,
                HandlerOptions.DEFAULT.slots(SLOTS),
                job -> {
                  begun.accept(job.args().value());
                  return null;
                }));
    pause(false);
  }

  private void pause(boolean paused) throws Exception {
    JobType type = JobType.ofHandler(TYPE);
    JobType unused =
        Node.await(
            jobs.putType(
                new JobType(
                    TYPE, type.runner(), LIMIT, paused, type.retry(), null, null, type.handler())));
  }

  /** Submits a job; returns when it is durable. */
  void submit(long number) throws Exception {
    var unused = Node.await(jobs.submit(TYPE, new Number(number)));
  }

  /** Returns the number of jobs that have succeeded; no other end may occur. */
  private long succeeded() {
    JobCounts counts = jobs.counts();
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
    pause(true);
    Submitting submitting = submitting();
    double submitted = submitting.flood(count, PARALLEL);
    long begun = System.nanoTime();
    pause(false);
    double ended = awaitSucceeded(target, count, begun);
    double[] millis = submitting.millis(0.5, 0.99);
    return new Round(ended, submitted, millis[0], millis[1]);
  }

  private Submitting submitting() {
    return new Submitting(jobs, number -> JobSpec.handler(TYPE, new Number(number)));
  }

  private double awaitSucceeded(long target, int count, long begun) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (succeeded() < target) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d of %d jobs have not succeeded within %d s: %s"
                .formatted(target - succeeded(), count, LIMIT_S, jobs.counts().byState()));
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  @Override
  public void close() throws Exception {
    var unused = Node.await(jobs.close());
    node.close();
  }
}
