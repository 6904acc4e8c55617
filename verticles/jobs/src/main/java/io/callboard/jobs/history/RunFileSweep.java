package io.callboard.jobs.history;

import io.callboard.Callboard;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.process.ProcessRunner;
import io.callboard.jobs.process.files.JobDirectories;
import io.callboard.jobs.process.files.RunDirectories;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep that deletes the files which runs have left on this host, about once an hour, once their
 * job has no record any more and nothing has changed for some time. Any thread.
 */
public final class RunFileSweep {
  /** Maximum number of jobs of one sweep; the next takes the rest. */
  static final int MOST = 10_000;

  static final Duration EVERY = Duration.ofHours(1);

  /** Time for which files are kept after the last change, when their job has no record. */
  public static final Duration KEPT = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(RunFileSweep.class);

  private final Callboard callboard;
  private final ProcessRunner processes;
  private final RunDirectories directories;
  private final JobDirectories jobs;
  private final Predicate<String> known;
  private final Duration kept;
  private final Clock clock;
  private final RandomGenerator random;
  private final Context context;
  private volatile @Nullable Alarm alarm;
  private volatile boolean closed;

  /**
   * Creates the sweep.
   *
   * @param known whether a job is known to have a record; the store decides about the others
   * @param kept time for which files are kept that no record names
   */
  public RunFileSweep(
      Callboard callboard,
      ProcessRunner processes,
      RunDirectories directories,
      JobDirectories jobs,
      Predicate<String> known,
      Duration kept,
      Clock clock) {
    this.callboard = callboard;
    this.processes = processes;
    this.directories = directories;
    this.jobs = jobs;
    this.known = known;
    this.kept = kept;
    this.clock = clock;
    this.random = callboard.random();
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
  }

  /** Starts to sweep, first after a random time, so that the nodes do not sweep together. */
  public void start() {
    if (!closed) {
      Duration wait = Duration.ofMillis(1 + random.nextLong(EVERY.toMillis() * 2));
      alarm = callboard.time().after(context, wait, this::due);
    }
  }

  private void due() {
    if (closed) {
      return;
    }
    sweep()
        .onComplete(
            done -> {
              if (done.failed()) {
                log.warn(
                    "files of runs whose jobs are gone could not be deleted on this host; the next sweep tries again: {}",
                    done.cause().toString());
              }
              start();
            });
  }

  /** Sweeps once. */
  public Future<Void> sweep() {
    Instant since = clock.instant().minus(kept);
    return callboard
        .vertx()
        .executeBlocking(() -> jobs.unchanged(since, id -> !known.test(id), MOST), false)
        .compose(this::remove);
  }

  private Future<Void> remove(List<String> ids) {
    Future<Void> done = Future.succeededFuture();
    for (String id : ids) { // one at a time, as there is no hurry
      done = done.compose(before -> closed ? Future.succeededFuture() : remove(id));
    }
    return done;
  }

  /** Deletes the files of a job, unless the store has a record of it, or a run of it is alive. */
  private Future<Void> remove(String id) {
    return callboard
        .admin()
        .stored(JobActor.path(id))
        .compose(
            stored ->
                stored
                            .flatMap(actor -> actor.record().state(JobActor.Slot.class))
                            .map(JobActor.Slot::job)
                            .isPresent()
                        || processes.live().stream().anyMatch(run -> run.jobId().equals(id))
                    ? Future.succeededFuture()
                    : callboard
                        .vertx()
                        .executeBlocking(
                            () -> {
                              directories.remove(id);
                              return null;
                            },
                            false));
  }

  /** Ends it. */
  public void close() {
    closed = true;
    Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
  }
}
