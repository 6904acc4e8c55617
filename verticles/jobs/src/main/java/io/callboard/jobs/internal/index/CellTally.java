package io.callboard.jobs.internal.index;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunsListener;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts of the cell: each node publishes those of its index, at most once a second and only when
 * they have changed, and adds up what the live members have published. Those of its own index are
 * exact, so the sums are up to {@link #EVERY} behind, and the time of a message. Any thread.
 */
public final class CellTally {
  private static final Logger log = LoggerFactory.getLogger(CellTally.class);

  /** Interval at which changed counts are published. */
  public static final Duration EVERY = Duration.ofSeconds(1);

  /** Number of such intervals after which counts are published that have not changed. */
  private static final int ANYWAY = 30;

  private final Callboard callboard;
  private final JobIndex index;
  private final IndexPeers peers;
  private final Broadcast<IndexTally> broadcast;
  private final BackgroundTasks tasks;
  private final Map<String, IndexTally> others = new ConcurrentHashMap<>();

  /** Tallies of other nodes, but for partitions that were taken over from a dead node. */
  private volatile List<IndexTally> counted = List.of();

  private final List<RunsListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong heard = new AtomicLong();
  private final AtomicLong endedElsewhere = new AtomicLong();
  private volatile Runnable unsubscribe = () -> {};

  /** Runs that this host knows not to be gone after a kill. */
  private final Supplier<List<TroubledRun>> notGone;

  /** Tally that was published last. On the context. */
  private @Nullable IndexTally published;

  private List<TroubledRun> publishedNotGone = List.of();

  private int quiet;

  /**
   * Creates the counts of a node.
   *
   * @param notGone returns the runs that its host knows not to be gone after a kill
   */
  public CellTally(
      Callboard callboard, JobIndex index, IndexPeers peers, Supplier<List<TroubledRun>> notGone) {
    this.notGone = notGone;
    this.callboard = callboard;
    this.index = index;
    this.peers = peers;
    this.broadcast = callboard.broadcast("callboard.jobs.tally", IndexTally.class);
    this.tasks = callboard.tasks("the count of jobs");
  }

  /** Begins to publish and to listen. */
  public void start() {
    unsubscribe = broadcast.subscribe(this::heard);
    peers.onMembers(() -> tasks.run(this::membersChanged));
    tasks.repeat(Repetition.every(EVERY).spread(0), this::due);
  }

  private void due() {
    count();
    IndexTally last = published;
    quiet++;
    boolean others = !publishedNotGone.equals(notGone.get());
    if (others) {
      heard.incrementAndGet();
    }
    if (last == null || others || last.changes() != index.changes() || quiet >= ANYWAY) {
      publish();
    }
  }

  private void count() {
    Map<Integer, Long> newest = new HashMap<>(index.coverage().epochs());
    List<IndexTally> all = List.copyOf(others.values());
    for (IndexTally tally : all) {
      tally.epochs().forEach((partition, epoch) -> newest.merge(partition, epoch, Math::max));
    }
    counted = all.stream().filter(tally -> !tally.isReplaced(newest)).toList();
  }

  private IndexTally own() {
    return index.tally(callboard.node(), callboard.bootId()).with(notGone.get());
  }

  private void publish() {
    publishedNotGone = notGone.get();
    IndexTally now = own();
    IndexTally last = published;
    published = now;
    quiet = 0;
    ran(last, now);
    broadcast
        .publish("tally", now)
        .onFailure(cause -> log.warn("the counts of jobs cannot be published", cause));
  }

  private void membersChanged() {
    if (!tasks.isClosed()) {
      others.keySet().retainAll(peers.members());
      count();
      heard.incrementAndGet();
      publish(); // the new member knows nothing yet
    }
  }

  private void heard(IndexTally tally) {
    if (tally.node().equals(callboard.node())) {
      return;
    }
    IndexTally last = others.put(tally.node(), tally);
    if (last != null && last.boot().equals(tally.boot())) {
      endedElsewhere.addAndGet(tally.jobsEnded() - last.jobsEnded());
      ran(last, tally);
    }
    count();
    if (last == null || !last.equals(tally)) {
      heard.incrementAndGet();
    }
  }

  private void ran(@Nullable IndexTally last, IndexTally now) {
    long started = now.runsStarted() - (last == null ? 0 : last.runsStarted());
    long ended = now.runsEnded() - (last == null ? 0 : last.runsEnded());
    if (started > 0 || ended > 0) {
      listeners.forEach(listener -> listener.ran(started, ended));
    }
  }

  /** Calls a listener with the numbers of runs of the cell; the result removes it. */
  public Runnable onRuns(RunsListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Records an incomplete answer as a change, so that a list is read again. */
  public void incomplete() {
    heard.incrementAndGet();
  }

  /**
   * Returns a number that grows when jobs of the cell may have changed, as far as this node has
   * heard.
   */
  public long revision() {
    return index.changes() + heard.get();
  }

  /** Returns the number of jobs of the cell that wait for a run. */
  public long waiting() {
    return index.waiting() + counted.stream().mapToLong(IndexTally::waiting).sum();
  }

  /** Returns the number of deleted jobs of the cell that have a tombstone. */
  public long deleted() {
    return all().stream().mapToLong(IndexTally::deleted).sum();
  }

  private List<IndexTally> all() {
    List<IndexTally> all = new ArrayList<>(counted);
    all.add(own());
    return all;
  }

  /** Returns the numbers of the jobs of the cell. */
  public JobCounts counts() {
    Map<JobState, Long> byState = new EnumMap<>(JobState.class);
    Map<String, Map<JobState, Long>> byType = new TreeMap<>();
    long ended = endedElsewhere.get();
    for (IndexTally tally : all()) {
      tally
          .byType()
          .forEach(
              (type, states) ->
                  states.forEach(
                      (state, count) -> {
                        byState.merge(state, count, Long::sum);
                        byType
                            .computeIfAbsent(type, name -> new EnumMap<>(JobState.class))
                            .merge(state, count, Long::sum);
                      }));
      if (tally.node().equals(callboard.node())) {
        ended += tally.jobsEnded();
      }
    }
    return new JobCounts(byState, byType, ended);
  }

  /** Returns the runs of the cell that are in trouble. */
  public TroubledRuns troubledRuns() {
    Map<String, Long> stalled = new TreeMap<>();
    Map<String, Long> killFailed = new TreeMap<>();
    Map<String, Long> known = new TreeMap<>(); // by hosts: all, also those of which no job knows
    List<TroubledRun> first = new ArrayList<>();
    Set<String> killed = new HashSet<>();
    List<String> olderNodes = new ArrayList<>();
    for (IndexTally tally : all()) {
      tally
          .byType()
          .forEach(
              (type, states) -> {
                long count = states.getOrDefault(JobState.STALLED, 0L);
                if (count > 0) {
                  stalled.merge(type, count, Long::sum);
                }
              });
      Map<String, Long> notGone = tally.notGone();
      if (notGone != null) {
        known.putAll(notGone);
      }
      Map<String, Long> byHost = tally.killFailed();
      List<TroubledRun> named = tally.troubled();
      if (byHost == null || named == null) {
        olderNodes.add(tally.node());
      } else {
        byHost.forEach((host, count) -> killFailed.merge(host, count, Long::sum));
        for (TroubledRun run : named) {
          boolean isKill = run.kind() == TroubledRun.Kind.KILL_FAILED;
          if (!isKill || killed.add(run.job() + "/" + run.runId())) { // by its job, and its host
            first.add(run);
          }
        }
      }
    }
    known.forEach((host, count) -> killFailed.merge(host, count, Math::max));
    return new TroubledRuns(stalled, killFailed, TroubledRuns.firstOf(first), olderNodes);
  }

  /** Ends the publishing and listening. */
  public void close() {
    unsubscribe.run();
    tasks.close();
  }
}
