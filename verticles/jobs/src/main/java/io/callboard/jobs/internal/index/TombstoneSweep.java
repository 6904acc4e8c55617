package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.OneByOne;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work on the tombstones of this node's partitions: hosts are made to delete the files of runs of
 * deleted jobs, at once, when they are back, and now and then; an expired tombstone is removed.
 */
public final class TombstoneSweep {
  private static final Logger log = LoggerFactory.getLogger(TombstoneSweep.class);

  static final Duration EVERY = Duration.ofMinutes(5);

  /**
   * Delay from a change of the members to the sweep, with as much again at random: changes come in
   * bursts.
   */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Maximum number of jobs of one message to a host, and of tombstones removed by one sweep. */
  private static final int MOST = 5_000;

  private final Callboard callboard;
  private final JobIndex index;
  private final IndexPeers peers;
  private final RandomGenerator random;
  private final BackgroundTasks tasks;
  private final AtomicBoolean settling = new AtomicBoolean();

  /** Creates the sweep of a node. */
  public TombstoneSweep(Callboard callboard, JobIndex index, IndexPeers peers) {
    this.callboard = callboard;
    this.index = index;
    this.peers = peers;
    this.random = callboard.random();
    this.tasks = callboard.tasks("the sweep of deleted jobs");
  }

  /** Begins to sweep. */
  public void start() {
    peers.onMembers(this::soon);
    tasks.repeat(Repetition.every(EVERY).spread(0), this::sweep);
  }

  /** Sweeps a little later, once for any number of calls until then. */
  public void soon() {
    if (settling.compareAndSet(false, true)) {
      Duration delay = SETTLE.plusMillis(random.nextLong(SETTLE.toMillis()));
      Alarm unused =
          tasks.after(
              delay,
              () -> {
                settling.set(false);
                sweep();
              });
    }
  }

  /** Makes the hosts of a job that was deleted just now delete the files of its runs. */
  public void deleted(String job, Tombstone tombstone) {
    tombstone.hosts().forEach(host -> peers.deleteFiles(host, List.of(job)));
  }

  private void sweep() {
    for (String host : peers.members()) {
      List<String> jobs = index.filesAt(host, MOST);
      if (!jobs.isEmpty()) {
        peers.deleteFiles(host, jobs);
      }
    }
    OneByOne.all(
            index.expired(callboard.time().clock().millis(), MOST).entrySet(),
            expired -> forget(expired.getKey(), expired.getValue()))
        .onFailure(
            cause ->
                log.info(
                    "expired tombstones of jobs cannot be removed; the next sweep tries again: {}",
                    cause.toString()));
  }

  private Future<Void> forget(String job, List<String> hosts) {
    if (!hosts.isEmpty()) {
      log.warn(
          "job {} was deleted long ago, but {} has not been back since: if it returns, delete runs/{} and control/{} in its data directory",
          job,
          hosts,
          job,
          job);
    }
    return tasks.isClosed()
        ? Future.succeededFuture()
        : callboard.durableRef(JobActor.path(job), JobCommand.class).tell(new JobCommand.Forget());
  }

  /** Ends the sweeps. */
  public void close() {
    tasks.close();
  }
}
