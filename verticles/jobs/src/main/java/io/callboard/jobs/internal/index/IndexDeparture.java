package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Departure of a node that stops: other nodes take its partitions, and their rows while its index
 * still answers. It ends when all are handed over, when nothing moves any more, or after a limit;
 * what is left is read from the store.
 */
final class IndexDeparture {
  private static final Logger log = LoggerFactory.getLogger(IndexDeparture.class);

  /** Time that it takes at most. */
  static final Duration LIMIT = Duration.ofSeconds(3);

  /** Time after which nothing is expected to move any more. */
  static final Duration STILL = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofMillis(25);

  private final Callboard callboard;
  private final JobIndex index;
  private final IndexPeers peers;
  private final long limitNs;
  private final long stillNs;
  private final BackgroundTasks tasks;
  private final long beginNs;
  private long movedNs;
  private int left;
  private long pages;

  /**
   * Creates a departure.
   *
   * @param limit time that it takes at most
   * @param still time after which nothing is expected to move any more
   */
  IndexDeparture(
      Callboard callboard, JobIndex index, IndexPeers peers, Duration limit, Duration still) {
    this.limitNs = limit.toNanos();
    this.stillNs = still.toNanos();
    this.callboard = callboard;
    this.index = index;
    this.peers = peers;
    this.tasks = callboard.tasks("the hand-over of the index of jobs");
    this.beginNs = callboard.time().nanoTime();
    this.movedNs = beginNs;
    this.left = index.unhanded();
  }

  /** Begins the departure; completes when it has ended, and does not fail. */
  Future<Void> start() {
    if (peers.members().size() < 2) {
      return Future.succeededFuture();
    }
    return callboard
        .leases()
        .drain(true)
        .compose(drained -> tasks.call(this::look))
        .recover(
            cause -> {
              log.info("the partitions of jobs move when the node closes", cause);
              return Future.succeededFuture();
            })
        .onComplete(done -> tasks.close());
  }

  private Future<Void> look() {
    long nowNs = callboard.time().nanoTime();
    int now = index.unhanded();
    long fetched = index.handedPages();
    if (now < left || fetched > pages) {
      left = now;
      pages = fetched;
      movedNs = nowNs;
    }
    if (now == 0 || nowNs - movedNs > stillNs || nowNs - beginNs > limitNs) {
      log.debug("{} partitions of jobs are left to be read by their next owners", now);
      return Future.succeededFuture();
    }
    return tasks.pause(LOOK).compose(v -> look());
  }
}
