package io.callboard.internal.zone;

import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of a {@code fork-join} zone. A task requested on one of them goes to the end of that
 * thread's own queue (asynchronous mode), from which idle threads steal; a thread takes tasks from
 * outside only when its own queue is empty. Two actors that keep sending to each other would hold
 * their thread for ever; hence every {@value #SHARE}th task of a thread lets one from outside go
 * first. Tasks in the own queue of a blocked thread are handed in from outside by the watchdog.
 * What waits when the zone ends, or comes later, is run by spare threads, since a pool that is shut
 * down takes nothing.
 */
final class ForkJoinThreads extends ForkJoinPool implements ZoneThreads {
  private static final Logger log = LoggerFactory.getLogger(ForkJoinThreads.class);
  private static final int SHARE = 8;

  /** Tasks to be handed in again. */
  private final Queue<ForkJoinTask<?>> refused = new ConcurrentLinkedQueue<>();

  private final SpareThreads late;

  ForkJoinThreads(String name, ZoneOptions options, Duration grace) {
    super(options.size(), new Named(name), null, true);
    this.late =
        new SpareThreads(name + "-late", options.size(), new LinkedBlockingQueue<>(), grace);
  }

  private static final class Named implements ForkJoinWorkerThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    Named(String name) {
      this.prefix = name + "-";
    }

    @Override
    public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
      ForkJoinWorkerThread thread = new Worker(pool);
      thread.setName(prefix + made.getAndIncrement());
      return thread;
    }
  }

  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool) {
      super(pool);
    }
  }

  @Override
  public void carry(Task task) {
    carry(ForkJoinTask.adapt(task));
  }

  @Override
  public void carry(SerialExecutor serial) {
    carry(serial.turn());
  }

  private void carry(ForkJoinTask<?> task) {
    if (isShutdown()) { // its own threads could still add to their queues, which may be blocked
      late.execute(() -> run(task));
      return;
    }
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      if (!isShutdown()) {
        throw e;
      }
      late.execute(() -> run(task));
    }
  }

  private static void run(ForkJoinTask<?> task) {
    if (task instanceof SerialExecutor.Turn turn) {
      turn.run();
    } else {
      task.quietlyInvoke();
    }
  }

  @Override
  public void after(int nth) {
    if (nth % SHARE == 0) {
      ForkJoinTask<?> fromElsewhere = pollSubmission();
      if (fromElsewhere != null) {
        run(fromElsewhere);
      }
    }
  }

  /**
   * Hands in once more, from outside, the tasks behind a thread that is busy for long, so that the
   * others come to them, too; likewise those waiting for a thread that could not be made.
   */
  @Override
  public void look(boolean slow) {
    boolean nobody = getPoolSize() == 0 && hasQueuedSubmissions();
    if (nobody || (slow && getQueuedTaskCount() > 0)) {
      int unused = drainTasksTo(refused);
    }
    handIn();
  }

  private void handIn() {
    for (int left = refused.size(); left > 0; left--) {
      ForkJoinTask<?> task = refused.poll();
      if (task != null) {
        handIn(task);
      }
    }
  }

  private void handIn(ForkJoinTask<?> task) {
    try {
      carry(task);
    } catch (RejectedExecutionException e) {
      refused.add(task); // for the next look
    } catch (Error e) { // no more threads; it is in the queue of those that there are, or come
      log.debug("no thread for waiting tasks", Causes.readable(e));
    }
  }

  @Override
  public int threads() {
    return getParallelism();
  }

  @Override
  public void end() {
    shutdown();
    late.end();
    int unused = drainTasksTo(refused);
    handIn();
  }
}
