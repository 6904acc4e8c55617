package io.callboard.dashboard.bulk;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobState;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs over many jobs of this node: one at a time, and the last ones. Thread-safe. */
public final class BulkJobs {
  /** Number of runs that are kept. */
  static final int MOST_KEPT = 10;

  private static final Logger log = LoggerFactory.getLogger(BulkJobs.class);

  /** Failures for which the job is to blame, not the node. */
  private static final Set<Code> OF_JOB =
      EnumSet.of(Code.NOT_FOUND, Code.ILLEGAL_STATE, Code.INVALID);

  private final Jobs jobs;
  private final Context context;
  private final Time time;
  private final Clock clock;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private boolean closed;

  /** Creates what has no runs yet. */
  public BulkJobs(Vertx vertx, Jobs jobs, Time time, Clock clock) {
    this.jobs = jobs;
    this.context = vertx.getOrCreateContext();
    this.time = time;
    this.clock = clock;
  }

  /**
   * Who asks for a run, and how fast it is to be.
   *
   * @param by who asks for it
   * @param reason reason that was given; may be empty
   * @param ratePerSecond jobs a second
   * @param meant states of the jobs that are meant; a job that has left them is left alone
   * @param incomplete why others may be missing among the jobs; null if none are
   */
  public record Order(
      JobAction action,
      String by,
      String reason,
      double ratePerSecond,
      List<JobState> meant,
      @Nullable String incomplete) {}

  /** Run that is kept, with its order; under the lock of this class. */
  private final class Kept {
    final Order order;
    final BulkRun run;
    final Instant startedAt = clock.instant();
    @Nullable Instant endedAt;
    Time.@Nullable Alarm timer;

    Kept(Order order, BulkRun run) {
      this.order = order;
      this.run = run;
    }

    BulkStatus status() {
      return new BulkStatus(
          order.action().word(),
          order.by(),
          order.reason(),
          run.state(),
          run.why(),
          order.incomplete(),
          run.matched(),
          run.done(),
          run.failed(),
          run.failures(),
          order.ratePerSecond(),
          startedAt,
          endedAt);
    }
  }

  /**
   * Begins a run, which goes on by itself. Each job that it tries is logged.
   *
   * @throws JobException {@code ILLEGAL_STATE} while another run goes on, {@code UNAVAILABLE} after
   *     {@link #close}
   */
  public synchronized BulkStatus start(Order order, List<String> ids) {
    if (closed) {
      throw new JobException(
          Code.UNAVAILABLE, "the dashboard of this node is closed: ask another node");
    }
    Kept last = kept.peekFirst();
    if (last != null && !last.run.isOver()) {
      throw new JobException(
          Code.ILLEGAL_STATE,
          "this node is still to %s %d jobs for %s, and has tried %d: wait for its end, or stop it"
              .formatted(
                  last.order.action().word(),
                  last.run.matched(),
                  last.order.by(),
                  last.run.done() + last.run.failed()));
    }
    Kept made = new Kept(order, new BulkRun(ids, order.ratePerSecond(), time.nanoTime()));
    kept.addFirst(made);
    if (kept.size() > MOST_KEPT) {
      kept.removeLast();
    }
    log.info(
        "{} jobs are to be asked to {}, {} a second, by {}",
        ids.size(),
        order.action().word(),
        order.ratePerSecond(),
        order.by());
    advance(made);
    return made.status();
  }

  /** Begins what is due, and comes back for the rest. */
  private synchronized void advance(Kept its) {
    if (its.timer != null) {
      its.timer.cancel();
      its.timer = null;
    }
    for (String id : its.run.begin(time.nanoTime())) {
      act(its, id);
    }
    its.run
        .waits(time.nanoTime())
        .ifPresent(wait -> its.timer = time.after(context, wait, () -> advance(its)));
    if (its.run.isOver() && its.endedAt == null) {
      its.endedAt = clock.instant();
      log.info(
          "to {} {} jobs for {} has ended: {} done, {} failed{}",
          its.order.action().word(),
          its.run.matched(),
          its.order.by(),
          its.run.done(),
          its.run.failed(),
          its.run.why() == null ? "" : "; " + its.run.why());
    }
  }

  private void act(Kept its, String id) {
    context.runOnContext(
        v ->
            its.order
                .action()
                .act(jobs, id, its.order.meant())
                .onComplete(acted -> ended(its, id, acted)));
  }

  private synchronized void ended(Kept its, String id, AsyncResult<Job> acted) {
    if (acted.succeeded()) {
      log.info("to {} job {} for {}: done", its.order.action().word(), id, its.order.by());
      its.run.succeeded();
    } else {
      Throwable cause = acted.cause();
      log.info(
          "to {} job {} for {}: {}",
          its.order.action().word(),
          id,
          its.order.by(),
          cause.toString());
      Code code = cause instanceof JobException e ? e.code() : Code.UNAVAILABLE;
      its.run.failed(
          new BulkFailure(id, code.name(), String.valueOf(cause.getMessage())),
          OF_JOB.contains(code));
    }
    advance(its);
  }

  /** Stops the run that goes on; empty if there is none. */
  public synchronized Optional<BulkStatus> stop(String cause) {
    Kept last = kept.peekFirst();
    if (last == null || last.run.isOver()) {
      return Optional.empty();
    }
    last.run.stop(cause);
    advance(last);
    return Optional.of(last.status());
  }

  /** Stops the run that goes on, and begins no other. */
  public synchronized void close() {
    closed = true;
    Optional<BulkStatus> unused = stop("the dashboard of its node was closed");
  }

  /** Returns the last runs, the latest first. */
  public synchronized List<BulkStatus> last() {
    return kept.stream().map(Kept::status).toList();
  }
}
