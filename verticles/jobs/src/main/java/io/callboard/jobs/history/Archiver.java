package io.callboard.jobs.history;

import io.callboard.Callboard;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.history.EndedJobs.Ended;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of the {@link Archivist}: looks at the ended jobs once a second, writes them to the database
 * if there is one, and tells those beyond the retention that they may go, a page of each in a pass.
 * What the database does not have yet is not told. Runs on a context of its own.
 */
public final class Archiver {
  /** Maximum number of jobs of one page. */
  static final int PAGE = 100;

  static final Duration EVERY = Duration.ofSeconds(1);

  /** Time until the next pass if more is to be done. */
  private static final Duration SOON = Duration.ofMillis(10);

  /** Time after which a job that has not gone is told again. */
  static final Duration TELL_AGAIN = Duration.ofMinutes(1);

  private static final ExponentialBackoff AWAY =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Logger log = LoggerFactory.getLogger(Archiver.class);

  private final Callboard callboard;
  private final EndedJobs ended;
  private final @Nullable RowWriter rows;
  private final @Nullable RowRetention oldRows;
  private final JobRetention retention;
  private final TypeRetentions types;
  private final Clock clock;
  private final Context context;

  /** Jobs that were told, as they were then, with the time of that. On the context. */
  private final Map<Ended, Instant> told = new HashMap<>();

  private volatile @Nullable Alarm alarm;
  private volatile boolean runs;
  private volatile ArchiveStatus status = new ArchiveStatus(0, null, null, null);
  private int failures;

  /**
   * Creates the archiver of a node.
   *
   * @param ended ended jobs that this node knows
   * @param history the database; null for none
   * @param deleted whether a job is known to have been deleted
   * @param deletedJobs ids of the jobs that are known to have been deleted
   */
  public Archiver(
      Callboard callboard,
      EndedJobs ended,
      @Nullable JobHistory history,
      Predicate<String> deleted,
      Supplier<List<String>> deletedJobs,
      JobRetention retention,
      TypeRetentions types,
      Clock clock) {
    this.callboard = callboard;
    this.ended = ended;
    this.rows =
        history == null ? null : new RowWriter(callboard, ended, history, deleted, deletedJobs);
    this.oldRows = history == null ? null : new RowRetention(history, retention, types, clock);
    this.retention = retention;
    this.types = types;
    this.clock = clock;
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
  }

  /** Starts the work. */
  public void start() {
    if (!runs) {
      runs = true;
      next(EVERY);
    }
  }

  /** Stops it; what was told stays told. */
  public void stop() {
    runs = false;
    Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
  }

  /** Returns whether it runs. Any thread. */
  public boolean runs() {
    return runs;
  }

  /** Returns how far it is. Any thread. */
  public ArchiveStatus status() {
    ArchiveStatus last = status;
    return new ArchiveStatus(ended.size(), last.waiting(), last.awaySince(), last.cause());
  }

  private void next(Duration wait) {
    if (runs) {
      alarm = callboard.time().after(context, wait, this::work);
    }
  }

  private void work() {
    if (!runs) {
      return;
    }
    write()
        .compose(
            written ->
                letGo()
                    .compose(
                        gone -> deleteOld().map(old -> written == PAGE || gone == PAGE || old)))
        .onComplete(done -> next(done.failed() ? failed(done.cause()) : succeeded(done.result())));
  }

  /**
   * Returns the time until the next pass.
   *
   * @param more whether more is to be done now
   */
  private Duration succeeded(boolean more) {
    if (failures > 0) {
      log.info("ended jobs are archived and removed again");
    }
    failures = 0;
    status = new ArchiveStatus(ended.size(), waiting(), null, null);
    return more ? SOON : EVERY;
  }

  /** Logs the first failure of a row of them, and returns the time until the next attempt. */
  private Duration failed(Throwable cause) {
    failures++;
    Instant since = status.awaySince();
    status =
        new ArchiveStatus(
            ended.size(),
            waiting(),
            since == null ? clock.instant() : since,
            String.valueOf(cause.getMessage()));
    if (failures == 1) {
      log.warn(
          "ended jobs cannot be archived and removed now; {} of them wait in ZooKeeper, this is tried again and nothing is lost: {}",
          rows == null ? ended.size() : rows.waiting(),
          cause.toString());
    }
    return AWAY.delay(failures, callboard.random());
  }

  private @Nullable Integer waiting() {
    return rows == null ? null : Integer.valueOf(rows.waiting());
  }

  /** Writes a page of jobs that the database does not have; returns their number. */
  private Future<Integer> write() {
    return rows == null
        ? Future.succeededFuture(0)
        : rows.clear().compose(v -> rows.forget()).compose(v -> rows.page(PAGE));
  }

  /** Deletes a page of old jobs from the database; returns whether there are more. */
  private Future<Boolean> deleteOld() {
    return oldRows == null ? Future.succeededFuture(false) : oldRows.sweep();
  }

  /** Tells a page of jobs beyond the retention that they may go; returns their number. */
  private Future<Integer> letGo() {
    return rows == null ? types.read().compose(this::letGo) : letGo(Map.of());
  }

  /**
   * Tells a page of jobs; without a database their records are all that is kept of them.
   *
   * @param byType retentions of the types that have their own
   */
  private Future<Integer> letGo(Map<String, TypeRetention> byType) {
    Instant now = clock.instant();
    told.entrySet()
        .removeIf(
            each ->
                !ended.contains(each.getKey().id())
                    || !each.getValue().plus(TELL_AGAIN).isAfter(now));
    List<Ended> page =
        ended.due(
            rows == null ? retention.records() : retention.recent(),
            now.minus(shortest(byType)),
            PAGE,
            each -> each.at().isBefore(now.minus(age(byType, each))),
            each -> !told.containsKey(each) && (rows == null || rows.has(each)));
    List<Future<Void>> sent = new ArrayList<>();
    for (Ended each : page) {
      told.put(each, now);
      sent.add(
          callboard
              .durableRef(JobActor.path(each.id()), JobCommand.class)
              .tell(new JobCommand.LetGo(each.version())));
    }
    return Future.join(sent).map(page.size());
  }

  private Duration age() {
    return rows == null ? retention.age() : retention.recentAge();
  }

  private Duration age(Map<String, TypeRetention> byType, Ended job) {
    TypeRetention own = byType.get(job.type());
    Duration kept = own == null ? null : own.jobs(job.state());
    return kept == null ? age() : kept;
  }

  /** Returns the shortest time for which records of any type are kept. */
  private Duration shortest(Map<String, TypeRetention> byType) {
    return Stream.concat(
            Stream.of(age()),
            byType.values().stream().flatMap(own -> Stream.of(own.successes(), own.failures())))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElseGet(this::age);
  }
}
