package io.callboard.testkit;

import io.callboard.Callboard;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.ZoneStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Detects when a node has come to rest: nothing is queued on any event loop, no zone runs or queues
 * a slice, and nothing was handled or committed during the check, {@value #ROUNDS} times in a row.
 *
 * <p>Meant for a node where all that happens is caused by its own messages and futures, and whose
 * store is in memory. It looks at one thread after the other: what goes from loop to loop, each
 * time to one that was looked at already, can escape all its rounds, though that is unlikely. It
 * cannot see what is under way elsewhere: a request to another process, a thread of the user's own.
 */
public final class Stillness {
  private static final int ROUNDS = 3;

  private final Callboard callboard;

  private Stillness(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Returns the detector of a node. */
  public static Stillness of(Callboard callboard) {
    return new Stillness(callboard);
  }

  /** Counters that grow with any activity. */
  private record Done(NodeCounts counts, long slices) {}

  /**
   * Waits, blocking, until the node is at rest.
   *
   * @throws AssertionError if it is not within 30 s of real time: something goes on and on
   */
  public void await() {
    if (Vertx.currentContext() != null) {
      throw new IllegalStateException(
          "wait for the node on the test's thread, not on a Vert.x context");
    }
    WaitLimit wait = WaitLimit.of(WaitLimit.LIMIT);
    int still = 0;
    Done last = done();
    while (still < ROUNDS) {
      boolean resting = loopsRest(wait) && zonesRest();
      Done now = done();
      still = resting && now.equals(last) ? still + 1 : 0;
      last = now;
      if (still == 0 && wait.isOver()) {
        wait.reportExpiry();
        throw new AssertionError(
            "the node does not come to rest within %s; zones: %s".formatted(wait.limit(), busy()));
      }
    }
  }

  private Done done() {
    long slices = callboard.admin().zones().stream().mapToLong(ZoneStatus::slices).sum();
    return new Done(callboard.admin().counts(), slices);
  }

  private boolean zonesRest() {
    return busy().isEmpty();
  }

  private List<String> busy() {
    List<String> busy = new ArrayList<>();
    for (ZoneStatus zone : callboard.admin().zones()) {
      if (zone.busy() + zone.queued() > 0) {
        busy.add(
            "%s runs %d slices and queues %d".formatted(zone.name(), zone.busy(), zone.queued()));
      }
    }
    return busy;
  }

  /** Visits every event loop once; returns whether each had nothing else to do. */
  private boolean loopsRest(WaitLimit wait) {
    boolean rest = true;
    VertxInternal vertx = (VertxInternal) callboard.vertx();
    for (EventExecutor each : vertx.nettyEventLoopGroup()) {
      if (each instanceof SingleThreadEventExecutor loop && !loop.isShuttingDown()) {
        rest &= rests(loop, wait);
      }
    }
    return rest;
  }

  private static boolean rests(SingleThreadEventExecutor loop, WaitLimit wait) {
    CountDownLatch passed = new CountDownLatch(1);
    boolean before = loop.pendingTasks() == 0;
    loop.execute(passed::countDown);
    try {
      if (!passed.await(wait.leftNs(), TimeUnit.NANOSECONDS)) {
        wait.reportExpiry();
        throw new AssertionError("an event loop is blocked: " + loop.threadProperties().name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a node was to come to rest", e);
    }
    return before && loop.pendingTasks() == 0;
  }
}
