package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.jobs.model.JobHost;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drain of this host before it stops: the gate grants it no more runs, and those that run end.
 * {@link DrainWait} decides how long they are waited for.
 */
public final class HostDrain {
  private static final Logger log = LoggerFactory.getLogger(HostDrain.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Time limit of a question to the gate, which is moving or away if it takes longer. */
  private static final Duration ASK = Duration.ofSeconds(2);

  private final Callboard callboard;
  private final HostRuns runs;
  private final Supplier<Future<List<JobHost>>> hosts;
  private final IntConsumer waiting;
  private final Time time;
  private final BackgroundTasks tasks;
  private final DrainWait drain;
  private final Promise<Integer> over = Promise.promise();
  private boolean reported;

  /**
   * Creates the drain.
   *
   * @param hosts reads the hosts from the gate
   * @param waiting called once with the number of runs that are waited for, if there are any
   */
  public HostDrain(
      Callboard callboard,
      HostRuns runs,
      Supplier<Future<List<JobHost>>> hosts,
      Duration limit,
      IntConsumer waiting) {
    this.callboard = callboard;
    this.runs = runs;
    this.hosts = hosts;
    this.waiting = waiting;
    this.time = callboard.time();
    this.tasks = callboard.tasks("the drain of this host");
    this.drain = new DrainWait(limit, time.nanoTime());
  }

  /** Starts the drain; completes with the number of runs that are left. */
  public Future<Integer> start() {
    runs.drain()
        .timeout(ASK.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(
            cause -> log.info("the gate could not be informed that this host is draining", cause))
        .onComplete(sent -> askGate());
    return over.future().onComplete(done -> tasks.close());
  }

  private void look() {
    if (runs.isClosed()) {
      over.complete(runs.count());
    } else {
      next(drain.looked(runs.count(), time.nanoTime()));
    }
  }

  private void next(DrainWait.Next next) {
    switch (next) {
      case ASK_GATE -> askGate();
      case LOOK_AGAIN -> {
        tasks
            .pause(LOOK_EVERY)
            .onSuccess(v -> look())
            .onFailure(closed -> over.tryComplete(runs.count()));
      }
      case OVER -> over.complete(runs.count());
    }
  }

  private void askGate() {
    long most = Math.min(ASK.toMillis(), drain.left(time.nanoTime()).toMillis());
    Future.succeededFuture()
        .compose(v -> hosts.get())
        .timeout(Math.max(1, most), TimeUnit.MILLISECONDS)
        .map(this::granted)
        .map(this::answered)
        .otherwise(this::unanswered)
        .onSuccess(this::next)
        .onFailure(over::tryFail); // else nobody would go on, nor complete it
  }

  private DrainWait.Next answered(int granted) {
    report(Math.max(granted, runs.count()));
    return drain.answered(runs.count(), granted, time.nanoTime());
  }

  private DrainWait.Next unanswered(Throwable cause) {
    log.info("the gate does not answer which runs it has granted to this host", cause);
    report(runs.count());
    return drain.unanswered(runs.count(), time.nanoTime());
  }

  private int granted(List<JobHost> all) {
    return all.stream()
        .filter(host -> host.name().equals(callboard.node()))
        .mapToInt(JobHost::used)
        .sum();
  }

  private void report(int count) {
    if (count > 0 && !reported) {
      reported = true;
      waiting.accept(count);
      callboard
          .leases()
          .drain(true) // its partitions move meanwhile, and all nodes see why it is given no runs
          .onFailure(
              cause ->
                  log.info(
                      "the drain of this node could not be published to the other nodes", cause));
    }
  }
}
