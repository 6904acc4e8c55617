package io.callboard.jobs.history;

import io.callboard.Callboard;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.history.EndedJobs.Ended;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
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
 * Work of the {@link Archivist}: looks at the ended jobs once a second and tells those beyond the
 * retention that they may go, a page at a time. Runs on a context of its own.
 */
public final class Archiver {
  /** Maximum number of jobs of one page. */
  static final int PAGE = 100;

  static final Duration EVERY = Duration.ofSeconds(1);

  /** Time after which a job that has not gone is told again. */
  static final Duration TELL_AGAIN = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Archiver.class);

  private final Callboard callboard;
  private final EndedJobs ended;
  private final JobRetention retention;
  private final Clock clock;
  private final Context context;

  /** Jobs that were told, with the time of that. On the context. */
  private final Map<String, Instant> told = new HashMap<>();

  private volatile @Nullable Alarm alarm;
  private volatile boolean runs;
  private boolean failing;

  /**
   * Creates the archiver of a node.
   *
   * @param ended ended jobs that this node knows
   */
  public Archiver(Callboard callboard, EndedJobs ended, JobRetention retention, Clock clock) {
    this.callboard = callboard;
    this.ended = ended;
    this.retention = retention;
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

  /** Returns how far it is. Any thread. */
  public ArchiveStatus status() {
    return new ArchiveStatus(ended.size());
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
    letGo()
        .onComplete(
            done -> {
              if (done.failed() && !failing) {
                log.warn(
                    "ended jobs cannot be removed now, this is tried again: {}",
                    done.cause().toString());
              }
              failing = done.failed();
              next(EVERY);
            });
  }

  /** Tells all jobs beyond the retention that they may go, a page after another. */
  private Future<Void> letGo() {
    Instant now = clock.instant();
    told.entrySet()
        .removeIf(
            each ->
                !ended.contains(each.getKey()) || !each.getValue().plus(TELL_AGAIN).isAfter(now));
    List<Ended> page =
        ended.due(
            retention.records(),
            now.minus(retention.age()),
            PAGE,
            each -> !told.containsKey(each.id()));
    List<Future<Void>> sent = new ArrayList<>();
    for (Ended each : page) {
      told.put(each.id(), now);
      sent.add(
          callboard
              .durableRef(JobActor.path(each.id()), JobCommand.class)
              .tell(new JobCommand.LetGo(each.version())));
    }
    return Future.join(sent)
        .compose(all -> page.size() < PAGE || !runs ? Future.succeededFuture() : letGo());
  }
}
