package io.callboard.jobs.internal.archiving;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.OneByOne;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.JobDirectories;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old files that runs have left on this host, about once an hour. It deletes all of a job
 * that has no record any more once nothing has changed for some time, and logs of runs that have
 * ended, records or not, if those are kept for a shorter time. Any thread.
 */
public final class OldRunFiles {
  /** Maximum number of jobs of one sweep; the next takes others. */
  static final int MOST = 10_000;

  /** Maximum number of parts into which more jobs are divided by their ids. */
  private static final int MOST_PARTS = 1_024;

  /** Number of jobs of which the nodes are asked at a time. */
  private static final int ASKED = 500;

  static final Duration EVERY = Duration.ofHours(1);

  /** Time for which files are kept after the last change, when their job has no record. */
  public static final Duration KEPT = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(OldRunFiles.class);

  private final Callboard callboard;
  private final Runner runner;
  private final RunDirectories directories;
  private final JobDirectories jobs;
  private final Function<List<String>, Future<Set<String>>> known;
  private final Duration kept;
  private final @Nullable Duration logs;
  private final TypeRetentions types;
  private final Clock clock;
  private final RandomGenerator random;
  private final BackgroundTasks tasks;
  private volatile int parts = 1;
  private volatile int part;

  /**
   * Creates the sweep.
   *
   * @param known returns those of some jobs that are known to have a record; the store decides
   *     about the others
   * @param kept time for which files are kept that no record names
   * @param logs time for which logs of runs are kept; null for as long as their other files
   * @param types retentions of the types that have their own
   */
  public OldRunFiles(
      Callboard callboard,
      Runner runner,
      RunDirectories directories,
      JobDirectories jobs,
      Function<List<String>, Future<Set<String>>> known,
      Duration kept,
      @Nullable Duration logs,
      TypeRetentions types,
      Clock clock) {
    this.callboard = callboard;
    this.runner = runner;
    this.directories = directories;
    this.jobs = jobs;
    this.known = known;
    this.kept = kept;
    this.logs = logs;
    this.types = types;
    this.clock = clock;
    this.random = callboard.random();
    this.tasks = callboard.tasks("the sweep of run files");
  }

  /** Starts to sweep, first after a random time. */
  public void start() {
    tasks.repeat(Repetition.every(EVERY).spread(1), () -> sweep().map(false), OldRunFiles::ended);
  }

  private static void ended(@Nullable Throwable failure) {
    if (failure != null) {
      log.warn(
          "files of runs whose jobs are gone could not be deleted on this host; the next sweep tries again: {}",
          failure.toString());
    }
  }

  /** Sweeps once, over a part of the jobs if there are many. */
  public Future<Void> sweep() {
    return types.read().compose(this::sweep);
  }

  private Future<Void> sweep(Map<String, TypeRetention> byType) {
    Instant now = clock.instant();
    Set<RunKey> live = Set.copyOf(runner.live());
    int of = parts;
    int which = part;
    boolean cutsLogs = logs != null || byType.values().stream().anyMatch(own -> own.logs() != null);
    return callboard
        .vertx()
        .executeBlocking(
            () -> {
              int deleted =
                  cutsLogs
                      ? jobs.deleteLogs(type -> since(now, logs(byType.get(type))), live::contains)
                      : 0;
              if (deleted > 0) {
                log.info(
                    "{} logs of runs on this host are deleted, as old as they may get", deleted);
              }
              return jobs.unchanged(
                  type -> now.minus(files(byType.get(type))),
                  id -> Math.floorMod(id.hashCode(), of) == which,
                  MOST);
            },
            false)
        .compose(
            ids -> {
              if (ids.size() == MOST && of < MOST_PARTS) { // there are more: the next takes fewer
                parts = of * 2;
                part = random.nextInt(parts);
              } else {
                part = (which + 1) % of;
              }
              return unknown(ids);
            });
  }

  /** Deletes the files of those of the jobs that have no record, some at a time. */
  private Future<Void> unknown(List<String> ids) {
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += ASKED) {
      parts.add(ids.subList(from, Math.min(ids.size(), from + ASKED)));
    }
    return OneByOne.all(
        parts, some -> tasks.isClosed() ? Future.succeededFuture() : unknownOf(some));
  }

  private Future<Void> unknownOf(List<String> some) {
    return known
        .apply(some)
        .compose(found -> remove(some.stream().filter(id -> !found.contains(id)).toList()));
  }

  private Duration files(@Nullable TypeRetention own) {
    return own == null || own.files() == null ? kept : own.files();
  }

  private @Nullable Duration logs(@Nullable TypeRetention own) {
    return own == null || own.logs() == null ? logs : own.logs();
  }

  private static @Nullable Instant since(Instant now, @Nullable Duration kept) {
    return kept == null ? null : now.minus(kept);
  }

  private Future<Void> remove(List<String> ids) {
    return OneByOne.all(ids, id -> tasks.isClosed() ? Future.succeededFuture() : remove(id));
  }

  /** Deletes the files of a job, unless the store has a record of it, or a run of it is alive. */
  private Future<Void> remove(String id) {
    return callboard
        .admin()
        .stored(JobActor.path(id))
        .compose(
            stored ->
                stored.flatMap(JobActor.Slot::of).map(JobActor.Slot::job).isPresent()
                        || runner.live().stream().anyMatch(run -> run.jobId().equals(id))
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

  /** Ends the sweeps. */
  public void close() {
    tasks.close();
  }
}
