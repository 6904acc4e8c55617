package io.callboard.dashboard.internal.chart;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.Distribution;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ZoneStatus;
import io.callboard.dashboard.internal.model.Throughput;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunFigures;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recorder of a node's figures over time: samples them at each beginning of a step of the shortest
 * range. Thread-safe.
 */
public final class Recorder {
  static final String RUNS_STARTED = "runsStarted";
  static final String RUNS_ENDED = "runsEnded";
  static final String RUNS_FAILED = "runsFailed";
  static final String ACTORS_FAILED = "actorsFailed";
  static final String PARKED = "parked";
  static final String DEAD = "dead";
  static final String HANDLED = "handled";
  static final String SENT = "sent";
  static final String TURNS = "turns";
  static final String COMMITS = "commits";
  static final String JOB_WAITS = "jobWaits";
  static final String THREAD_WAITS = "threadWaits";

  /** Least time between two samples: a timer may be due a little early. */
  private static final long LEAST_MS = 1_000;

  private final Callboard callboard;
  private final Optional<Jobs> jobs;
  private final Throughput throughput;
  private final Clock clock;
  private final Context context;
  private final History history = new History();
  private @Nullable Alarm next;
  private boolean closed;

  /** Creates a recorder that samples nothing yet. */
  public Recorder(Callboard callboard, Optional<Jobs> jobs, Throughput throughput, Clock clock) {
    this.callboard = callboard;
    this.jobs = jobs;
    this.throughput = throughput;
    this.clock = clock;
    this.context = callboard.vertx().getOrCreateContext();
  }

  /** Takes the first sample, then one at each step, until it is closed. */
  public synchronized void start() {
    if (closed) {
      return;
    }
    Instant now = clock.instant();
    long step = Range.QUARTER.step().toMillis();
    long left = step - Math.floorMod(now.toEpochMilli(), step);
    Duration delay = Duration.ofMillis(left < LEAST_MS ? left + step : left);
    next = callboard.time().after(context, delay, this::start);
    history.take(now, sample());
  }

  /** Returns the curves of a range. */
  public synchronized ObjectNode read(Range range) {
    return Series.of(history.read(range, clock.instant()), jobs.isPresent())
        .put("node", callboard.node());
  }

  private Sample sample() {
    NodeMetrics metrics = callboard.admin().metrics();
    NodeCounts node = metrics.counts();
    Map<String, Long> counts = new HashMap<>();
    counts.put(ACTORS_FAILED, node.failures().values().stream().mapToLong(Long::longValue).sum());
    counts.put(PARKED, node.parked());
    counts.put(DEAD, node.dead());
    counts.put(HANDLED, node.handled());
    counts.put(SENT, node.sent());
    counts.put(TURNS, node.turns());
    Map<String, Distribution> times = new HashMap<>();
    times.put(COMMITS, metrics.commits().latency());
    queueWaits(callboard.admin().zones()).ifPresent(waits -> times.put(THREAD_WAITS, waits));
    Map<String, Long> backlog = new HashMap<>();
    jobs.ifPresent(
        scheduler -> {
          RunFigures runs = scheduler.runFigures();
          counts.put(RUNS_STARTED, throughput.started());
          counts.put(RUNS_ENDED, throughput.ended());
          counts.put(RUNS_FAILED, runs.failed());
          times.put(JOB_WAITS, runs.waits());
          backlog.putAll(backlog(scheduler.counts()));
        });
    return new Sample(counts, backlog, times);
  }

  /** Adds up the histograms of all zones, which have the same buckets. */
  private static Optional<Distribution> queueWaits(List<ZoneStatus> zones) {
    return zones.stream().map(ZoneStatus::queueWait).reduce(Step::merged);
  }

  private static Map<String, Long> backlog(JobCounts counts) {
    Map<String, Long> backlog = new HashMap<>();
    counts
        .byType()
        .forEach(
            (type, states) ->
                backlog.put(
                    type,
                    states.entrySet().stream()
                        .filter(each -> waits(each.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum()));
    return backlog;
  }

  private static boolean waits(JobState state) {
    return state.inQueue() || state == JobState.BLOCKED;
  }

  /** Ends the sampling. */
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
