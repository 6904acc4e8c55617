package io.callboard.internal.zone;

import io.callboard.supervision.Causes;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that the executor of a zone has rejected: they wait and are offered again, so that none is
 * lost. The beginning and the end of the rejections are each logged once. Used by any thread.
 */
final class RejectedTasks {
  private static final Logger log = LoggerFactory.getLogger(RejectedTasks.class);

  /** Nanoseconds for which a thread goes on with tasks that its executor rejected. */
  private static final long TAKE_OVER_NANOS = 50_000_000L;

  /**
   * Time without a rejection, in nanoseconds, after which the executor counts as taking all again.
   */
  private static final long CALM_NANOS = 5_000_000_000L;

  private final String zone;
  private final ZoneThreads zoneThreads;
  private final LongSupplier nanoTime;
  private final Function<Runnable, Runnable> soon;
  private final Consumer<Task> run;
  private final Deque<Task> tasks = new ConcurrentLinkedDeque<>();
  private final ReentrantLock offering = new ReentrantLock();
  private boolean refusing;
  private long refusedAt;

  /**
   * @param soon runs something a little later, on no thread of a zone
   * @param run runs a slice on the calling thread
   */
  RejectedTasks(
      String zone,
      ZoneThreads zoneThreads,
      LongSupplier nanoTime,
      Function<Runnable, Runnable> soon,
      Consumer<Task> run) {
    this.zone = zone;
    this.zoneThreads = zoneThreads;
    this.nanoTime = nanoTime;
    this.soon = soon;
    this.run = run;
  }

  void add(Task task, Throwable cause) {
    tasks.add(task);
    tell(cause);
  }

  /** Notes a rejection whose task need not be offered again. */
  synchronized void tell(Throwable cause) {
    refusedAt = nanoTime.getAsLong();
    if (!refusing) {
      refusing = true;
      log.warn(
          "zone {}: its executor rejects slices of actors; they wait and are submitted again",
          zone,
          Causes.readable(cause));
    }
  }

  /**
   * Runs rejected tasks on the calling thread, which may be the only one of the executor. Only for
   * a while, since the thread is the application's.
   */
  void takeOver() {
    if (tasks.isEmpty()) {
      return;
    }
    long begun = nanoTime.getAsLong();
    for (Task next = tasks.poll(); next != null; next = tasks.poll()) {
      if (next.begin()) {
        run.accept(next);
      }
      offerAgain();
      if (nanoTime.getAsLong() - begun > TAKE_OVER_NANOS) {
        Runnable unused = soon.apply(this::offerAgain); // when the thread has gone back
        return;
      }
    }
  }

  /** Offers rejected tasks to the executor again, in order; one thread at a time. */
  void offerAgain() {
    if (tasks.isEmpty() || !offering.tryLock()) {
      return;
    }
    try {
      boolean taken = true;
      while (taken) {
        Task task = tasks.poll();
        taken = task != null && isTaken(task);
      }
    } finally {
      offering.unlock();
    }
  }

  private boolean isTaken(Task task) {
    try {
      if (!task.isBegun()) {
        zoneThreads.carry(task);
      }
      return true;
    } catch (RuntimeException | Error e) { // it was told when it began
      tasks.addFirst(task);
      return false;
    }
  }

  /** Called by the watchdog now and then. */
  void look() {
    offerAgain();
    tellTaking();
  }

  private synchronized void tellTaking() {
    if (refusing && tasks.isEmpty() && nanoTime.getAsLong() - refusedAt > CALM_NANOS) {
      refusing = false;
      log.info("zone {}: its executor accepts all slices again", zone);
    }
  }
}
