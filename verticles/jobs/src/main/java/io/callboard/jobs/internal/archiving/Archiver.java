package io.callboard.jobs.internal.archiving;

import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.index.EndCutoffs;
import io.callboard.jobs.internal.index.EndedJob;
import io.callboard.jobs.internal.index.IndexCommand;
import io.callboard.jobs.internal.index.IndexPeers;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobRetention;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of the {@link Archivist}: asks the nodes for their ended jobs, once a second by
 * default, writes them to the database if there is one, and has the records of those beyond the
 * retention removed, a page of each in a pass. Jobs that the database lacks keep their records.
 * Runs on a context of its own.
 */
public final class Archiver {
  /** Maximum number of jobs of a page. */
  static final int PAGE = 100;

  /** The same while there is more to do than a page holds: of each node so many are asked for. */
  static final int LARGE_PAGE = 500;

  /** Limit of the jobs that were told to go and have not gone; no others are told before. */
  static final int MOST_TOLD = 5_000;

  /** Time until the next pass if more is to be done. */
  private static final Duration SOON = Duration.ofMillis(10);

  /** Time after which a job that has not gone is told again. */
  static final Duration TELL_AGAIN = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Archiver.class);

  private static final EndedJobs NOTHING = new EndedJobs(List.of(), 0);

  private final Callboard callboard;
  private final IndexPeers indexes;
  private final @Nullable RowWriter rows;
  private final @Nullable RowRetention oldRows;
  private final JobRetention retention;
  private final TypeRetentions types;
  private final Clock clock;
  private final BackgroundTasks tasks;

  /** Jobs that were told, as they were then, with the time of that. On the context. */
  private final Map<EndedJob, Instant> told = new HashMap<>();

  private volatile boolean runs;
  private volatile ArchiveStatus status = new ArchiveStatus(0, null, null, null);

  /** Ended jobs of the last pass. On the context. */
  private EndedJobs seen = NOTHING;

  private volatile int page = PAGE;
  private int failures;
  private boolean waits;

  /**
   * Creates the archiver of a node.
   *
   * @param indexes indexes of all nodes
   * @param history the database; null for none
   */
  public Archiver(
      Callboard callboard,
      IndexPeers indexes,
      @Nullable JobHistory history,
      JobRetention retention,
      TypeRetentions types,
      Clock clock) {
    this.callboard = callboard;
    this.indexes = indexes;
    this.rows = history == null ? null : new RowWriter(callboard, history);
    this.oldRows = history == null ? null : new RowRetention(history, retention, types, clock);
    this.retention = retention;
    this.types = types;
    this.clock = clock;
    this.tasks = callboard.tasks("the archiver of jobs");
  }

  /** Starts the work. */
  public void start() {
    if (!runs) {
      runs = true;
      tasks.repeat(
          Repetition.every(retention.every()).soon(SOON).backoff(JobRetention.LONGEST_PAUSE),
          this::pass,
          this::ended);
    }
  }

  /** Stops the work; jobs that were asked to remove their records still do. */
  public void stop() {
    runs = false;
    tasks.close();
  }

  /** Returns whether the archiver runs. Any thread. */
  public boolean runs() {
    return runs;
  }

  /** Returns the progress of the archiver. Any thread. */
  public ArchiveStatus status() {
    return status;
  }

  /** Completes with whether more is to be done now. */
  private Future<Boolean> pass() {
    seen = NOTHING;
    return cutoffs()
        .compose(
            cutoffs -> {
              int most = page + told.size();
              return indexes
                  .ended(new IndexCommand.Ended(most, rows != null, cutoffs))
                  .compose(
                      answers ->
                          tasks.call(() -> work(new EndedJobs(answers.values(), most), cutoffs)));
            });
  }

  /** Returns the times before which jobs are too old; without a database types have their own. */
  private Future<EndCutoffs> cutoffs() {
    Instant now = clock.instant();
    if (rows != null) {
      return Future.succeededFuture(new EndCutoffs(now.minus(retention.recentAge())));
    }
    return types
        .read()
        .map(
            byType -> {
              Map<String, Instant> successes = new HashMap<>();
              Map<String, Instant> failures = new HashMap<>();
              byType.forEach(
                  (type, own) -> {
                    put(successes, type, now, own.successes());
                    put(failures, type, now, own.failures());
                  });
              return new EndCutoffs(now.minus(retention.age()), successes, failures);
            });
  }

  private static void put(
      Map<String, Instant> cutoffs, String type, Instant now, @Nullable Duration kept) {
    if (kept != null) {
      cutoffs.put(type, now.minus(kept));
    }
  }

  private Future<Boolean> work(EndedJobs ended, EndCutoffs cutoffs) {
    seen = ended;
    return write(ended)
        .compose(
            written ->
                letGo(ended, cutoffs)
                    .compose(gone -> deleteOld().map(old -> written || gone || old)))
        .onSuccess(more -> page = more ? LARGE_PAGE : PAGE);
  }

  /** Logs the first failure of a row of them, and their end. */
  private void ended(@Nullable Throwable failure) {
    if (failure == null) {
      if (failures > 0) {
        log.info("ended jobs are archived and removed again");
      }
      failures = 0;
      status = new ArchiveStatus(seen.size(), waiting(seen), null, null);
      return;
    }
    failures++;
    page = PAGE;
    Instant since = status.awaySince();
    status =
        new ArchiveStatus(
            seen.size(),
            waiting(seen),
            since == null ? clock.instant() : since,
            String.valueOf(failure.getMessage()));
    if (failures == 1) {
      log.warn(
          "ended jobs cannot be archived and removed now; {} of them wait in ZooKeeper, this is"
              + " tried again and nothing is lost: {}",
          rows == null ? seen.size() : seen.unwritten(),
          failure.toString());
    }
  }

  private @Nullable Integer waiting(EndedJobs ended) {
    return rows == null ? null : Integer.valueOf(ended.unwritten());
  }

  /** Writes a page of jobs that the database does not have; returns whether there may be more. */
  private Future<Boolean> write(EndedJobs ended) {
    if (rows == null) {
      return Future.succeededFuture(false);
    }
    List<EndedJob> waiting = ended.waiting(page);
    boolean full = waiting.size() == page;
    return rows.write(waiting, ended.deleted())
        .compose(
            done -> {
              int some = done.written().size() + done.refused().size();
              return indexes.archived(done).map(some > 0 && (full || some < waiting.size()));
            });
  }

  /** Deletes a page of old jobs from the database; returns whether there are more. */
  private Future<Boolean> deleteOld() {
    return oldRows == null ? Future.succeededFuture(false) : oldRows.sweep();
  }

  /** Tells a page of jobs beyond the retention that they may go; returns whether there are more. */
  private Future<Boolean> letGo(EndedJobs ended, EndCutoffs cutoffs) {
    Instant now = clock.instant();
    told.keySet().retainAll(ended.ready()); // the others have gone
    told.values().removeIf(at -> !at.plus(TELL_AGAIN).isAfter(now));
    int most = Math.min(page, MOST_TOLD - told.size());
    List<EndedJob> due =
        ended.due(
            rows == null ? retention.records() : retention.recent(),
            cutoffs,
            most,
            told::containsKey);
    waits(most < page && due.size() == most);
    List<Future<Void>> sent = new ArrayList<>();
    for (EndedJob each : due) {
      told.put(each, now);
      sent.add(
          callboard
              .durableRef(JobActor.path(each.id()), JobCommand.class)
              .tell(new JobCommand.LetGo(each.version())));
    }
    return Future.join(sent).map(due.size() == page);
  }

  /** Logs the first pass of a row of them in which jobs wait because others do not go. */
  private void waits(boolean others) {
    if (others && !waits) {
      log.warn(
          "{} ended jobs were told to go and have not gone; no others are told before some have, or"
              + " {} s have passed",
          MOST_TOLD,
          TELL_AGAIN.toSeconds());
    }
    waits = others;
  }
}
