package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.jobs.internal.files.HostFiles;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery of the starts and outcomes of runs to their jobs, each repeated until it is durable. A
 * start is repeated no longer than its run lives: its job learns the rest with the outcome.
 */
final class RunOutcomes {
  private static final Logger log = LoggerFactory.getLogger(RunOutcomes.class);

  /** Backoff with jitter: all runs of a host meet the same failure at once. */
  private static final ExponentialBackoff BACKOFF =
      Backoff.exponential(Duration.ofMillis(400), Duration.ofSeconds(10));

  private final Callboard callboard;
  private final BackgroundTasks tasks;
  private final HostFiles files;
  private final BooleanSupplier over;
  private final Predicate<RunKey> hasEnded;
  private final Consumer<RunKey> known;

  /**
   * Creates the delivery.
   *
   * @param tasks its background tasks
   * @param over whether nothing is to be reported any more
   * @param hasEnded whether a run has ended, so that its start is no news
   * @param known called once the job of a run has the outcome
   */
  RunOutcomes(
      Callboard callboard,
      BackgroundTasks tasks,
      HostFiles files,
      BooleanSupplier over,
      Predicate<RunKey> hasEnded,
      Consumer<RunKey> known) {
    this.callboard = callboard;
    this.tasks = tasks;
    this.files = files;
    this.over = over;
    this.hasEnded = hasEnded;
    this.known = known;
  }

  /**
   * Sends an outcome durably, then marks the run's directory. A node that dies in between sends it
   * again, and the job ignores the second.
   */
  void send(RunKey key, JobCommand outcome) {
    repeat(
        key,
        outcome,
        "outcome",
        over,
        () -> {
          known.accept(key);
          acknowledge(key);
        },
        1);
  }

  /** Sends the start of a run; a job that has it already takes no notice of a second. */
  void sendStart(RunKey key, JobCommand.Started start) {
    repeat(key, start, "start", () -> over.getAsBoolean() || hasEnded.test(key), () -> {}, 1);
  }

  private void repeat(
      RunKey key,
      JobCommand what,
      String name,
      BooleanSupplier inVain,
      Runnable sent,
      int attempt) {
    if (inVain.getAsBoolean()) {
      return;
    }
    toJob(key, what)
        .onSuccess(stored -> sent.run())
        .onFailure(
            cause -> {
              log.warn(
                  "the {} of run {} could not be reported to its job, it is reported again: {}",
                  name,
                  key,
                  cause.toString());
              Duration pause = BACKOFF.delay(attempt, callboard.random());
              Alarm unused =
                  tasks.after(pause, () -> repeat(key, what, name, inVain, sent, attempt + 1));
            });
  }

  /** Sends a message to the job of a run. */
  Future<Void> toJob(RunKey key, JobCommand what) {
    return callboard.durableRef(JobActor.path(key.jobId()), JobCommand.class).tell(what);
  }

  /**
   * Marks the outcome as reported; without the mark the next boot reports it again, which the job
   * ignores.
   */
  private void acknowledge(RunKey key) {
    callboard
        .vertx()
        .executeBlocking(
            () -> {
              files.acknowledge(key);
              return null;
            },
            false)
        .onFailure(
            cause ->
                log.warn(
                    "the end of run {} cannot be recorded on disk, the next start of the node"
                        + " reports it again: {}",
                    key,
                    cause.toString()));
  }
}
